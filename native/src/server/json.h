// JSON values; the members of an object stay in their order.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

// Members of an object, with room for those of nearly all objects: the map of the library copies whatever is in it, to the
// innermost value, each time it grows.
template <class Name, class Value, class Less = std::less<Name>, class Allocator = std::allocator<std::pair<const Name, Value>>>
class Members : public nlohmann::ordered_map<Name, Value, Less, Allocator> {
  using Map = nlohmann::ordered_map<Name, Value, Less, Allocator>;

 public:
  using Map::Map;

  std::pair<typename Map::iterator, bool> emplace(const Name& name, Value&& value) {
    MakeRoom();
    return Map::emplace(name, std::move(value));
  }

  Value& operator[](const Name& name) {
    MakeRoom();
    return Map::operator[](name);
  }

 private:
  void MakeRoom() {
    constexpr size_t kRoom = 8;
    if (this->size() == this->capacity()) this->reserve(std::max(kRoom, 2 * this->size()));
  }
};

using Json = nlohmann::basic_json<Members>;

// The text of a value. A text of the system may be in any encoding; what is not UTF-8 in it is replaced.
inline std::string JsonText(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }
