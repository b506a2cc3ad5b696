// Limits of the process, by which a scenario makes a resource scarce: setrlimit(2).
#include <sys/resource.h>

#include "runtime/refusal.h"
#include "runtime/result.h"
#include "runtime/verbs.h"

namespace {

rlimit OpenFilesLimit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit;
}

// As it is when the addon is loaded.
const rlimit kOpenFilesAtStart = OpenFilesLimit();

// setrlimit(2) of the soft limit; null goes back to the limit at the start.
Answer Setrlimit(Handles&, Params& params, const Reply&) {
  const std::string resource = params.String("resource");
  if (resource != "RLIMIT_NOFILE") throw BadParams("parameter resource must be RLIMIT_NOFILE");
  rlimit limit = kOpenFilesAtStart;
  if (!params.IsNull("soft")) limit.rlim_cur = params.Integer<uint32_t>("soft");
  params.End();
  return Result(Measure([&] { return setrlimit(RLIMIT_NOFILE, &limit); }), Refuses::kWithNonzero);
}

}  // namespace

std::vector<Verb> ResourceLimitVerbs() { return {{"setrlimit", Setrlimit}}; }
