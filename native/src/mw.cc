// Memory windows.
#include "runtime/result.h"
#include "runtime/verbs.h"

namespace {

struct MwDeleter {
  void operator()(ibv_mw* mw) const noexcept { ibv_dealloc_mw(mw); }
};
using MwPtr = std::unique_ptr<ibv_mw, MwDeleter>;

// ibv_alloc_mw(3)
Answer AllocMw(Handles& handles, Params& params, const Reply&) {
  const auto pd = handles.Get<Pd>(params.String("pd"));
  const auto type = static_cast<ibv_mw_type>(params.Enum("type", kMwType));
  params.End();
  const auto call = Measure([&] { return ibv_alloc_mw(pd->pointer, type); });
  MwPtr mw{call.returned};
  if (!mw) return NullResult(call);
  Json outputs = Json::object();
  outputs["rkey"] = mw->rkey;
  const auto object = handles.Add<Mw>(pd->context, mw.get());
  mw.release();
  return Result(call, object->handle, outputs);
}

// ibv_dealloc_mw(3)
Answer DeallocMw(Handles& handles, Params& params, const Reply&) {
  const auto mw = handles.GetUnused<Mw>(params.String("mw"));
  params.End();
  const auto call = Measure([&] { return ibv_dealloc_mw(mw->pointer); });
  if (call.returned == 0) handles.Remove(*mw);
  return Result(call, Refuses::kWithNonzero);
}

}  // namespace

std::vector<Verb> MwVerbs() { return {{"ibv_alloc_mw", AllocMw}, {"ibv_dealloc_mw", DeallocMw}}; }
