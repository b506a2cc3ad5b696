// Protection domains.
#include "runtime/arguments.h"
#include "runtime/result.h"
#include "server/blocking.h"

namespace {

struct PdDeleter {
  void operator()(ibv_pd* pd) const noexcept { ibv_dealloc_pd(pd); }
};
using PdPtr = std::unique_ptr<ibv_pd, PdDeleter>;

// ibv_alloc_pd(3)
Answer AllocPd(const Call& call, std::shared_ptr<Context> context) {
  const auto made = Measure([&] { return ibv_alloc_pd(context->pointer); });
  PdPtr pd{made.returned};
  if (!pd) return NullResult(made);
  const auto object = call.handles.Add<Pd>(context, pd.get());
  pd.release();
  return Result(made, object->handle, Json::object());
}

// ibv_dealloc_pd(3)
Answer DeallocPd(const Call& call, std::shared_ptr<Pd> pd) {
  const auto destroy = [pointer = pd->pointer] { return ibv_dealloc_pd(pointer); };
  return RunDestruction(call.handles, pd, Reply{}, destroy);
}

}  // namespace

std::vector<Verb> PdVerbs() {
  return {
      Describe("ibv_alloc_pd", AllocPd, Living<Context>("context")),
      Describe("ibv_dealloc_pd", DeallocPd, Unused<Pd>("pd")),
  };
}
