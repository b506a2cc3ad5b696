#include "program/names.h"

#include <cstdint>
#include <utility>

#include "program/program.h"
#include "runtime/refusal.h"
#include "runtime/text.h"

namespace {

// The number, or the 64-bit value, plus so much, as C adds it to an unsigned one.
Json Sum(const Json& value, int64_t plus, const std::string& where) {
  const auto word = value.is_string() ? WordOf(value.get_ref<const std::string&>()) : std::nullopt;
  if (word) return WordText(*word + static_cast<uint64_t>(plus));
  if (!value.is_number_integer()) throw BadParams(where + " is no number");
  return static_cast<int64_t>(static_cast<uint64_t>(value.get<int64_t>()) + static_cast<uint64_t>(plus));
}

// The 8 bits of an R_Key that its consumer may choose count on by themselves: ibv_inc_rkey(3).
Json IncreasedKey(const Json& rkey, int64_t plus) {
  const auto key = static_cast<uint32_t>(rkey.get<int64_t>());
  return static_cast<int64_t>((key & ~0xffU) | ((key + static_cast<uint32_t>(plus)) & 0xffU));
}

}  // namespace

Names::Names(const Json& values) {
  if (!values.is_object()) throw BadParams("parameter names must be a struct");
  for (const auto& [name, value] : values.items()) {
    const bool is_binding = value.is_object() && value.size() == 2 && value.contains("handle") &&
                            value.contains("outputs") && value["outputs"].is_object() &&
                            (value["handle"].is_string() || value["handle"].is_null());
    if (!is_binding) throw BadParams("parameter names." + name.substr(0, 80) + " must have a handle and outputs");
    bindings_[name] = {value["handle"], value["outputs"]};
  }
}

std::set<std::string> Names::All() const {
  std::set<std::string> names;
  for (const auto& [name, binding] : bindings_) names.insert(name);
  return names;
}

void Names::Bind(const std::string& name, const Json& result) {
  const Json& outputs = result["outputs"];
  const auto event = outputs.find("event");
  // A pointer is returned; a struct that the caller has room for is filled in.
  const Json& handle = result["returned"].is_string() || event == outputs.end() ? result["returned"] : *event;
  bindings_[name] = {handle.is_string() ? handle : Json(nullptr), outputs};
}

std::optional<Json> Names::Resolve(const Json& value, const IsThere& is_there) const {
  if (IsReference(value)) return Referred(value, is_there);
  if (!value.is_structured()) return value;
  Json resolved = value.is_array() ? Json::array() : Json::object();
  for (const auto& [name, item] : value.items()) {
    auto found = Resolve(item, is_there);
    if (!found) return std::nullopt;
    if (value.is_array()) {
      resolved.push_back(std::move(*found));
    } else {
      resolved[name] = std::move(*found);
    }
  }
  return resolved;
}

std::optional<Json> Names::Referred(const Json& reference, const IsThere& is_there) const {
  const auto& name = reference["of"].get_ref<const std::string&>();
  const auto found = bindings_.find(name);
  if (found == bindings_.end()) return std::nullopt;
  const auto& [handle, outputs] = found->second;
  const auto member = reference.find("member");
  if (member == reference.end()) {
    const bool is_named = handle.is_string() && is_there(handle.get_ref<const std::string&>());
    return is_named ? std::optional<Json>(handle) : std::nullopt;
  }
  const auto value = outputs.find(member->get_ref<const std::string&>());
  if (value == outputs.end()) return std::nullopt;
  const auto plus = reference.find("plus");
  if (plus == reference.end() || *plus == 0) return *value;
  if (*member == "rkey" && value->is_number_integer()) return IncreasedKey(*value, plus->get<int64_t>());
  return Sum(*value, plus->get<int64_t>(), "\"" + member->get<std::string>().substr(0, 80) + "\" of \"" + name + "\"");
}

void Names::Take(const Names& others, const std::set<std::string>& names) {
  for (const std::string& name : names) {
    const auto found = others.bindings_.find(name);
    if (found != others.bindings_.end()) bindings_[name] = found->second;
  }
}

Json Names::Only(const std::set<std::string>& names) const {
  Json values = Json::object();
  for (const std::string& name : names) {
    const auto found = bindings_.find(name);
    if (found != bindings_.end()) values[name] = {{"handle", found->second.handle}, {"outputs", found->second.outputs}};
  }
  return values;
}

std::set<std::string> Names::HandlesOf(const std::set<std::string>& names) const {
  std::set<std::string> handles;
  for (const std::string& name : names) {
    const auto found = bindings_.find(name);
    if (found != bindings_.end() && found->second.handle.is_string()) handles.insert(found->second.handle.get<std::string>());
  }
  return handles;
}
