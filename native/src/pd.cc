// Protection domains.
#include "runtime/result.h"
#include "runtime/verbs.h"

namespace {

struct PdDeleter {
  void operator()(ibv_pd* pd) const noexcept { ibv_dealloc_pd(pd); }
};
using PdPtr = std::unique_ptr<ibv_pd, PdDeleter>;

// ibv_alloc_pd(3)
Answer AllocPd(Handles& handles, Params& params, const Reply&) {
  const auto context = handles.Get<Context>(params.String("context"));
  params.End();
  const auto call = Measure([&] { return ibv_alloc_pd(context->pointer); });
  PdPtr pd{call.returned};
  if (!pd) return NullResult(call);
  const auto object = handles.Add<Pd>(context, pd.get());
  pd.release();
  return Result(call, object->handle, Json::object());
}

// ibv_dealloc_pd(3)
Answer DeallocPd(Handles& handles, Params& params, const Reply&) {
  const auto pd = handles.GetUnused<Pd>(params.String("pd"));
  params.End();
  const auto call = Measure([&] { return ibv_dealloc_pd(pd->pointer); });
  if (call.returned == 0) handles.Remove(*pd);
  return Result(call, Refuses::kWithNonzero);
}

}  // namespace

std::vector<Verb> PdVerbs() { return {{"ibv_alloc_pd", AllocPd}, {"ibv_dealloc_pd", DeallocPd}}; }
