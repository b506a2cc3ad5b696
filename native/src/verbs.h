// The verbs, by the names of their C functions. Each takes named parameters and answers with a raw result, or with a
// promise of one if it may block.
#pragma once

#include <napi.h>

#include <vector>

#include "handles.h"
#include "params.h"

using VerbFunction = Napi::Value (*)(Napi::Env env, Handles& handles, Params& params);

struct Verb {
  const char* name;
  VerbFunction function;
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
