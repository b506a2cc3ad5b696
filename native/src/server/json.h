// JSON values; the members of an object stay in their order.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

using Json = nlohmann::ordered_json;

// The text of a value. A text of the system may be in any encoding; what is not UTF-8 in it is replaced.
inline std::string JsonText(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }
