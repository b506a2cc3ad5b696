// What a call of a program came to.
#pragma once

#include <string>
#include <utility>

#include "server/json.h"

// The record of a call with that raw result.
inline Json RecordOf(const std::string& verb, const Json& args, const Json& result) {
  return {{"verb", verb},
          {"args", args},
          {"returned", result["returned"]},
          {"errno", result["errno"]},
          {"outputs", result["outputs"]}};
}

// The record of a call that gave nothing.
inline Json EmptyRecordOf(const std::string& verb, const Json& args) {
  return RecordOf(verb, args, {{"returned", nullptr}, {"errno", 0}, {"outputs", Json::object()}});
}
