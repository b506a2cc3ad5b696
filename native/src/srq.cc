// Shared receive queues.
#include "runtime/arguments.h"
#include "runtime/result.h"
#include "server/blocking.h"

namespace {

struct SrqDeleter {
  void operator()(ibv_srq* srq) const noexcept { ibv_destroy_srq(srq); }
};
using SrqPtr = std::unique_ptr<ibv_srq, SrqDeleter>;

const StructTable<ibv_srq_attr>& SrqAttrTable() {
  static const StructTable<ibv_srq_attr> table{
      Optional(Number("maxWr", &ibv_srq_attr::max_wr)),
      Optional(Number("maxSge", &ibv_srq_attr::max_sge)),
      Optional(Number("srqLimit", &ibv_srq_attr::srq_limit)),
  };
  return table;
}

const StructTable<ibv_srq_init_attr>& SrqInitAttrTable() {
  static const StructTable<ibv_srq_init_attr> table{Struct("attr", &ibv_srq_init_attr::attr, SrqAttrTable())};
  return table;
}

// ibv_create_srq(3)
Answer CreateSrq(const Call& call, std::shared_ptr<Pd> pd, ibv_srq_init_attr attr) {
  const auto made = Measure([&] { return ibv_create_srq(pd->pointer, &attr); });
  SrqPtr srq{made.returned};
  if (!srq) return NullResult(made);
  const auto object = call.handles.Add<Srq>(pd->context, srq.get());
  srq.release();
  return Result(made, object->handle, SrqAttrTable().Give(attr.attr));
}

// ibv_modify_srq(3)
Answer ModifySrq(const Call&, std::shared_ptr<Srq> srq, ibv_srq_attr attr, int mask) {
  return Result(Measure([&] { return ibv_modify_srq(srq->pointer, &attr, mask); }), Refuses::kWithNonzero);
}

// ibv_query_srq(3)
Answer QuerySrq(const Call&, std::shared_ptr<Srq> srq) {
  ibv_srq_attr attr{};
  const auto queried = Measure([&] { return ibv_query_srq(srq->pointer, &attr); });
  if (queried.returned != 0) return Result(queried, Refuses::kWithNonzero);
  return Result(queried, Refuses::kWithNonzero, SrqAttrTable().Give(attr));
}

// ibv_destroy_srq(3)
Answer DestroySrq(const Call& call, std::shared_ptr<Srq> srq) {
  const auto destroy = [pointer = srq->pointer] { return ibv_destroy_srq(pointer); };
  return RunDestruction(call.handles, srq, call.reply, destroy);
}

}  // namespace

std::vector<Verb> SrqVerbs() {
  return {
      Describe("ibv_create_srq", CreateSrq, Living<Pd>("pd"), Struct("srqInitAttr", SrqInitAttrTable()))
          .Filling({{"maxWr", "u32"}, {"maxSge", "u32"}, {"srqLimit", "u32"}}),
      Describe("ibv_modify_srq", ModifySrq, Living<Srq>("srq"), Struct("srqAttr", SrqAttrTable()),
               Bits<int>("srqAttrMask", kSrqAttrMask)),
      Describe("ibv_query_srq", QuerySrq, Living<Srq>("srq"))
          .Filling({{"maxWr", "u32"}, {"maxSge", "u32"}, {"srqLimit", "u32"}}),
      Describe("ibv_destroy_srq", DestroySrq, Unused<Srq>("srq")),
  };
}
