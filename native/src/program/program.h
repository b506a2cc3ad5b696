// Programs as requests have them: lists of operations, as drivers/native/protocol.ts says.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "server/json.h"

struct Op {
  enum class Kind { kCall, kSettle, kParallel };

  Kind kind;
  std::string where;  // for messages
  size_t record;      // place of the record of a call, of the first one of threads
  std::string verb;
  Json args;
  std::string as;  // empty if nobody refers to it
  std::vector<std::vector<Op>> threads;
};

struct Program {
  std::vector<Op> ops;
  size_t calls;
};

// What there is before the program.
struct Surroundings {
  std::function<bool(const std::string& verb)> knows;
  std::set<std::string> names;
};

// Takes a program from the value at `where`. Throws BadParams, which names the operation, if it is none.
Program ProgramOf(const Json& value, const std::string& where, const Surroundings& surroundings);

// Whether the value stands for what a call has made or filled in. No struct of an argument has a member `of`.
bool IsReference(const Json& value);

// Calls `use` with each reference in a value.
void ForEachReference(const Json& value, const std::function<void(const Json& reference)>& use);
