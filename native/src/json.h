// JSON values; the members of an object stay in their order.
#pragma once

#include <nlohmann/json.hpp>

using Json = nlohmann::ordered_json;
