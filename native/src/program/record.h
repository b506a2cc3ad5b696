// What a call of a program came to.
#pragma once

#include <string>
#include <utility>

#include "server/json.h"

// The record of a call with that raw result.
inline Json RecordOf(const std::string& verb, Json args, Json result) {
  Json record = Json::object();
  record["verb"] = verb;
  record["args"] = std::move(args);
  for (const char* name : {"returned", "errno", "outputs"}) record[name] = std::move(result[name]);
  return record;
}

// The record of a call that gave nothing.
inline Json EmptyRecordOf(const std::string& verb, Json args) {
  return RecordOf(verb, std::move(args), {{"returned", nullptr}, {"errno", 0}, {"outputs", Json::object()}});
}
