// Shared receive queues.
#include "server/blocking.h"
#include "runtime/result.h"
#include "runtime/verbs.h"

namespace {

struct SrqDeleter {
  void operator()(ibv_srq* srq) const noexcept { ibv_destroy_srq(srq); }
};
using SrqPtr = std::unique_ptr<ibv_srq, SrqDeleter>;

Json SrqAttrStruct(const ibv_srq_attr& attr) {
  Json values = Json::object();
  values["maxWr"] = attr.max_wr;
  values["maxSge"] = attr.max_sge;
  values["srqLimit"] = attr.srq_limit;
  return values;
}

// ibv_create_srq(3)
Answer CreateSrq(Handles& handles, Params& params, const Reply&) {
  const auto pd = handles.Get<Pd>(params.String("pd"));
  Params members = params.Struct("attr");
  params.End();
  ibv_srq_init_attr attr{};
  attr.attr.max_wr = members.Integer<uint32_t>("maxWr");
  attr.attr.max_sge = members.Integer<uint32_t>("maxSge");
  attr.attr.srq_limit = members.Integer<uint32_t>("srqLimit");
  members.End();
  const auto call = Measure([&] { return ibv_create_srq(pd->pointer, &attr); });
  SrqPtr srq{call.returned};
  if (!srq) return NullResult(call);
  const auto object = handles.Add<Srq>(pd->context, srq.get());
  srq.release();
  return Result(call, object->handle, SrqAttrStruct(attr.attr));
}

// Fills in the members that are present, and their mask.
int TakeSrqAttr(Params params, ibv_srq_attr& attr) {
  int mask = 0;
  if (params.Has("maxWr")) {
    attr.max_wr = params.Integer<uint32_t>("maxWr");
    mask |= IBV_SRQ_MAX_WR;
  }
  if (params.Has("srqLimit")) {
    attr.srq_limit = params.Integer<uint32_t>("srqLimit");
    mask |= IBV_SRQ_LIMIT;
  }
  params.End();
  return mask;
}

// ibv_modify_srq(3)
Answer ModifySrq(Handles& handles, Params& params, const Reply&) {
  const auto srq = handles.Get<Srq>(params.String("srq"));
  ibv_srq_attr attr{};
  const int mask = TakeSrqAttr(params.Struct("attr"), attr);
  params.End();
  return Result(Measure([&] { return ibv_modify_srq(srq->pointer, &attr, mask); }), Refuses::kWithNonzero);
}

// ibv_destroy_srq(3)
Answer DestroySrq(Handles& handles, Params& params, const Reply& reply) {
  const auto srq = handles.GetUnused<Srq>(params.String("srq"));
  params.End();
  const auto call = [pointer = srq->pointer] { return ibv_destroy_srq(pointer); };
  return RunDestruction(handles, srq, reply, call);
}

}  // namespace

std::vector<Verb> SrqVerbs() {
  return {
      {"ibv_create_srq", CreateSrq},
      {"ibv_modify_srq", ModifySrq},
      {"ibv_destroy_srq", DestroySrq},
  };
}
