// The method `programs`, as drivers/native/protocol.ts says.
#pragma once

#include <functional>
#include <string>

#include "program/run.h"
#include "runtime/handles.h"
#include "runtime/params.h"
#include "server/json.h"

class Programs {
 public:
  // `call` calls a verb and waits for it; `knows` says whether there is one of that name.
  Programs(Handles& handles, CallVerb call, std::function<bool(const std::string&)> knows);

  // Runs the programs one after another. Throws what refuses them all.
  Json Run(const Json& params);

 private:
  Stage& stage_;
  const std::function<bool(const std::string&)> knows_;
  bool hangs_ = false;  // a call of an earlier program
};
