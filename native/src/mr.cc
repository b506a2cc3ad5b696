// Memory regions. They lie in memory of the addon: a client can register no other.
#include "runtime/arguments.h"
#include "runtime/refusal.h"
#include "runtime/result.h"
#include "server/blocking.h"

namespace {

struct MrDeleter {
  void operator()(ibv_mr* mr) const noexcept { ibv_dereg_mr(mr); }
};
using MrPtr = std::unique_ptr<ibv_mr, MrDeleter>;

// A peer could else read and write whatever this process has.
std::shared_ptr<Memory> MemoryAt(const Handles& handles, uint64_t addr, size_t length) {
  const auto memory = handles.Find<Memory>([&](const Memory& candidate) { return candidate.Holds(addr, length); });
  if (!memory) throw BadParams("a region must lie in memory that was allocated for it");
  return memory;
}

// ibv_reg_mr(3)
Answer RegMr(const Call& call, std::shared_ptr<Pd> pd, uint64_t addr, size_t length, int access) {
  auto memory = MemoryAt(call.handles, addr, length);
  void* const address = reinterpret_cast<void*>(static_cast<uintptr_t>(addr));
  const auto made = Measure([&] { return ibv_reg_mr(pd->pointer, address, length, access); });
  MrPtr mr{made.returned};
  if (!mr) return NullResult(made);
  Json outputs = Json::object();
  outputs["addr"] = WordText(static_cast<uint64_t>(reinterpret_cast<uintptr_t>(mr->addr)));
  outputs["length"] = mr->length;
  outputs["lkey"] = mr->lkey;
  outputs["rkey"] = mr->rkey;
  const auto object = call.handles.Add<Mr>(pd->context, mr.get(), std::move(memory));
  mr.release();
  return Result(made, object->handle, std::move(outputs));
}

// ibv_dereg_mr(3)
Answer DeregMr(const Call& call, std::shared_ptr<Mr> mr) {
  const auto destroy = [pointer = mr->pointer] { return ibv_dereg_mr(pointer); };
  return RunDestruction(call.handles, mr, Reply{}, destroy);
}

}  // namespace

std::vector<Verb> MrVerbs() {
  return {
      Describe("ibv_reg_mr", RegMr, Living<Pd>("pd"), Word("addr"), Integer<size_t>("length"),
               Bits<int>("access", kAccessFlags))
          .Filling({{"addr", "u64"}, {"length", "size"}, {"lkey", "u32"}, {"rkey", "u32"}}),
      Describe("ibv_dereg_mr", DeregMr, Unused<Mr>("mr")),
  };
}
