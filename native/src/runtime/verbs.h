// The verbs, by the names of their C functions. Each takes named parameters and answers with a raw result.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/handles.h"
#include "server/json.h"
#include "runtime/params.h"

// Takes the raw result of a verb that may block, on the main thread, as a function that makes it and may throw. An
// empty one is of a caller that waits: the verb blocks the main thread.
using Reply = std::function<void(const std::function<Json()>& make)>;

// The raw result of a verb, or nothing if its reply gets it when the verb returns.
using Answer = std::optional<Json>;

using VerbFunction = std::function<Answer(Handles& handles, Params& params, const Reply& reply)>;

struct Verb {
  const char* name;
  VerbFunction function;
  Json in;   // its arguments in order, each a struct of one name and its type
  Json out;  // what it fills in: types by names

  // The same verb, which fills that in.
  Verb Filling(Json types) && {
    out = std::move(types);
    return std::move(*this);
  }
};

std::vector<Verb> DeviceVerbs();
std::vector<Verb> PdVerbs();
std::vector<Verb> AhVerbs();
std::vector<Verb> MrVerbs();
std::vector<Verb> MemoryVerbs();
std::vector<Verb> MwVerbs();
std::vector<Verb> CompChannelVerbs();
std::vector<Verb> CqVerbs();
std::vector<Verb> CqExVerbs();
std::vector<Verb> MemberVerbs();
std::vector<Verb> SrqVerbs();
std::vector<Verb> QpVerbs();
std::vector<Verb> WorkRequestVerbs();
std::vector<Verb> AsyncEventVerbs();
std::vector<Verb> ConstantTextVerbs();
std::vector<Verb> DescriptorVerbs();
std::vector<Verb> ResourceLimitVerbs();

// All of the above.
const std::vector<Verb>& AllVerbs();

// Arguments and results of all verbs, for a comparison with drivers/verbs.
Json Descriptions();
