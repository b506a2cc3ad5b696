// Limits of the process, by which a scenario makes a resource scarce: setrlimit(2).
#include <sys/resource.h>

#include "runtime/arguments.h"
#include "runtime/refusal.h"
#include "runtime/result.h"

namespace {

rlimit OpenFilesLimit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit;
}

// As it is when the addon is loaded.
const rlimit kOpenFilesAtStart = OpenFilesLimit();

// setrlimit(2) of the soft limit; null goes back to the limit at the start.
Answer Setrlimit(const Call&, std::string resource, std::optional<uint32_t> soft) {
  if (resource != "RLIMIT_NOFILE") throw BadParams("parameter resource must be RLIMIT_NOFILE");
  rlimit limit = kOpenFilesAtStart;
  if (soft) limit.rlim_cur = *soft;
  return Result(Measure([&] { return setrlimit(RLIMIT_NOFILE, &limit); }), Refuses::kWithNonzero);
}

}  // namespace

std::vector<Verb> ResourceLimitVerbs() {
  return {Describe("setrlimit", Setrlimit, Constant("resource", "RLIMIT_NOFILE"), IntegerOrNull<uint32_t>("soft"))};
}
