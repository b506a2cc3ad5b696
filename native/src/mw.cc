// Memory windows.
#include "runtime/arguments.h"
#include "runtime/result.h"
#include "server/blocking.h"

namespace {

struct MwDeleter {
  void operator()(ibv_mw* mw) const noexcept { ibv_dealloc_mw(mw); }
};
using MwPtr = std::unique_ptr<ibv_mw, MwDeleter>;

// ibv_alloc_mw(3)
Answer AllocMw(const Call& call, std::shared_ptr<Pd> pd, ibv_mw_type type) {
  const auto made = Measure([&] { return ibv_alloc_mw(pd->pointer, type); });
  MwPtr mw{made.returned};
  if (!mw) return NullResult(made);
  Json outputs = Json::object();
  outputs["rkey"] = mw->rkey;
  const auto object = call.handles.Add<Mw>(pd->context, mw.get());
  mw.release();
  return Result(made, object->handle, std::move(outputs));
}

// ibv_dealloc_mw(3)
Answer DeallocMw(const Call& call, std::shared_ptr<Mw> mw) {
  const auto destroy = [pointer = mw->pointer] { return ibv_dealloc_mw(pointer); };
  return RunDestruction(call.handles, mw, Reply{}, destroy);
}

}  // namespace

std::vector<Verb> MwVerbs() {
  return {
      Describe("ibv_alloc_mw", AllocMw, Living<Pd>("pd"), Enumerator<ibv_mw_type>("type", kMwType))
          .Filling({{"rkey", "u32"}}),
      Describe("ibv_dealloc_mw", DeallocMw, Unused<Mw>("mw")),
  };
}
