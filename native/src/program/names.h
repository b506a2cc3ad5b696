// What the names of a program stand for.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "server/json.h"

// Whether there is an object of that handle.
using IsThere = std::function<bool(const std::string& handle)>;

class Names {
 public:
  Names() = default;
  // From structs with `handle` and `outputs`, by name. Throws BadParams.
  explicit Names(const Json& values);

  std::set<std::string> All() const;

  // Gives the name what a call came to; one that was refused makes nothing.
  void Bind(const std::string& name, const Json& result);

  // The value with what its references stand for, or nothing if one of them names what was not made, or is not there any
  // more. Throws BadParams.
  std::optional<Json> Resolve(const Json& value, const IsThere& is_there) const;

  // Takes over what these names stand for there.
  void Take(const Names& others, const std::set<std::string>& names);

  // As the constructor takes it; without a name that stands for nothing.
  Json Only(const std::set<std::string>& names) const;

  // The handles of these names.
  std::set<std::string> HandlesOf(const std::set<std::string>& names) const;

 private:
  struct Binding {
    Json handle;  // or null
    Json outputs;
  };

  std::optional<Json> Referred(const Json& reference, const IsThere& is_there) const;

  std::map<std::string, Binding> bindings_;
};
