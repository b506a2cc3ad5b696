// Memory regions. The memory belongs to the addon: a client can neither name an address nor free one.
#include <unistd.h>

#include <algorithm>

#include "runtime/refusal.h"
#include "runtime/result.h"
#include "runtime/text.h"
#include "runtime/verbs.h"

namespace {

struct MrDeleter {
  void operator()(ibv_mr* mr) const noexcept { ibv_dereg_mr(mr); }
};
using MrPtr = std::unique_ptr<ibv_mr, MrDeleter>;

// Registered memory is pinned: a client could else take all of the machine's, down to the kernel's OOM killer.
constexpr size_t kMostBytesRegistered = size_t{256} << 20;

void RequireRoom(const Handles& handles, size_t length) {
  size_t registered = 0;
  handles.Find<Mr>([&](const Mr& mr) {
    registered += mr.length;
    return false;
  });
  if (length <= kMostBytesRegistered && registered <= kMostBytesRegistered - length) return;
  throw BadParams("all regions together may have " + std::to_string(kMostBytesRegistered) + " bytes");
}

// Fresh pages are zeroed. There is at least one, so that a length of 0 has an address to be registered at.
Pages AllocatePages(size_t length) {
  const size_t mapped = std::max<size_t>(length, 1);
  void* const address = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) throw std::runtime_error("no memory for " + std::to_string(length) + " bytes");
  return Pages{address, PagesDeleter{mapped}};
}

// ibv_reg_mr(3)
Answer RegMr(Handles& handles, Params& params, const Reply&) {
  const auto pd = handles.Get<Pd>(params.String("pd"));
  const auto length = params.Integer<size_t>("length");
  const auto access = static_cast<int>(params.Flags("access", kAccessFlags));
  params.End();
  RequireRoom(handles, length);
  Pages pages = AllocatePages(length);
  const auto call = Measure([&] { return ibv_reg_mr(pd->pointer, pages.get(), length, access); });
  MrPtr mr{call.returned};
  if (!mr) return NullResult(call);
  Json outputs = Json::object();
  outputs["addr"] = WordText(static_cast<uint64_t>(reinterpret_cast<uintptr_t>(mr->addr)));
  outputs["length"] = mr->length;
  outputs["lkey"] = mr->lkey;
  outputs["rkey"] = mr->rkey;
  const auto object = handles.Add<Mr>(pd->context, mr.get(), std::move(pages), length);
  mr.release();
  return Result(call, object->handle, outputs);
}

// ibv_dereg_mr(3). The memory lives on while the region does.
Answer DeregMr(Handles& handles, Params& params, const Reply&) {
  const auto mr = handles.GetUnused<Mr>(params.String("mr"));
  params.End();
  const auto call = Measure([&] { return ibv_dereg_mr(mr->pointer); });
  if (call.returned == 0) handles.Remove(*mr);
  return Result(call, Refuses::kWithNonzero);
}

}  // namespace

std::vector<Verb> MrVerbs() { return {{"ibv_reg_mr", RegMr}, {"ibv_dereg_mr", DeregMr}}; }
