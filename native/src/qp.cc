// Queue pairs.
#include "ah_attr.h"
#include "server/blocking.h"
#include "runtime/refusal.h"
#include "runtime/result.h"
#include "runtime/verbs.h"

namespace {

struct QpDeleter {
  void operator()(ibv_qp* qp) const noexcept { ibv_destroy_qp(qp); }
};
using QpPtr = std::unique_ptr<ibv_qp, QpDeleter>;

ibv_qp_cap CapOf(Params params) {
  ibv_qp_cap cap{};
  cap.max_send_wr = params.Integer<uint32_t>("maxSendWr");
  cap.max_recv_wr = params.Integer<uint32_t>("maxRecvWr");
  cap.max_send_sge = params.Integer<uint32_t>("maxSendSge");
  cap.max_recv_sge = params.Integer<uint32_t>("maxRecvSge");
  cap.max_inline_data = params.Integer<uint32_t>("maxInlineData");
  params.End();
  return cap;
}

Json CapStruct(const ibv_qp_cap& cap) {
  Json values = Json::object();
  values["maxSendWr"] = cap.max_send_wr;
  values["maxRecvWr"] = cap.max_recv_wr;
  values["maxSendSge"] = cap.max_send_sge;
  values["maxRecvSge"] = cap.max_recv_sge;
  values["maxInlineData"] = cap.max_inline_data;
  return values;
}

// ibv_create_qp(3)
Answer CreateQp(Handles& handles, Params& params, const Reply&) {
  const auto pd = handles.Get<Pd>(params.String("pd"));
  const auto send_cq = handles.Get<Cq>(params.String("sendCq"));
  const auto recv_cq = handles.Get<Cq>(params.String("recvCq"));
  const auto srq = params.IsNull("srq") ? nullptr : handles.Get<Srq>(params.String("srq"));
  ibv_qp_init_attr attr{};
  attr.send_cq = send_cq->pointer;
  attr.recv_cq = recv_cq->pointer;
  attr.srq = srq ? srq->pointer : nullptr;
  attr.cap = CapOf(params.Struct("cap"));
  attr.qp_type = static_cast<ibv_qp_type>(params.Enum("qpType", kQpType));
  attr.sq_sig_all = params.Boolean("sqSigAll") ? 1 : 0;
  params.End();
  const auto call = Measure([&] { return ibv_create_qp(pd->pointer, &attr); });
  QpPtr qp{call.returned};
  if (!qp) return NullResult(call);
  Json outputs = Json::object();
  outputs["qpNum"] = qp->qp_num;
  outputs["cap"] = CapStruct(attr.cap);
  std::vector<std::shared_ptr<Object>> queues{send_cq, recv_cq};
  if (srq) queues.push_back(srq);
  const auto object = handles.Add<Qp>(pd->context, std::move(queues), qp.get());
  qp.release();
  return Result(call, object->handle, outputs);
}

ibv_mtu MtuOf(uint32_t bytes) {
  for (const ibv_mtu mtu : {IBV_MTU_256, IBV_MTU_512, IBV_MTU_1024, IBV_MTU_2048, IBV_MTU_4096}) {
    if (bytes == 128u << mtu) return mtu;
  }
  throw BadParams("parameter attr.pathMtu must be 256, 512, 1024, 2048 or 4096");
}

// Members of ibv_qp_attr that are plain numbers, with the bit that each sets in the attribute mask.
template <class T>
void TakeNumber(Params& params, const char* name, T& member, int bit, int& mask) {
  if (!params.Has(name)) return;
  member = params.Integer<T>(name);
  mask |= bit;
}

// Fills in the members that are present, and their mask.
int TakeQpAttr(Params params, ibv_qp_attr& attr) {
  int mask = 0;
  if (params.Has("qpState")) {
    attr.qp_state = static_cast<ibv_qp_state>(params.Enum("qpState", kQpState));
    mask |= IBV_QP_STATE;
  }
  if (params.Has("enSqdAsyncNotify")) {
    attr.en_sqd_async_notify = params.Boolean("enSqdAsyncNotify") ? 1 : 0;
    mask |= IBV_QP_EN_SQD_ASYNC_NOTIFY;
  }
  if (params.Has("qpAccessFlags")) {
    attr.qp_access_flags = static_cast<unsigned int>(params.Flags("qpAccessFlags", kAccessFlags));
    mask |= IBV_QP_ACCESS_FLAGS;
  }
  if (params.Has("pathMtu")) {
    attr.path_mtu = MtuOf(params.Integer<uint32_t>("pathMtu"));
    mask |= IBV_QP_PATH_MTU;
  }
  if (params.Has("ahAttr")) {
    attr.ah_attr = AhAttrOf(params.Struct("ahAttr"));
    mask |= IBV_QP_AV;
  }
  TakeNumber(params, "portNum", attr.port_num, IBV_QP_PORT, mask);
  TakeNumber(params, "pkeyIndex", attr.pkey_index, IBV_QP_PKEY_INDEX, mask);
  TakeNumber(params, "destQpNum", attr.dest_qp_num, IBV_QP_DEST_QPN, mask);
  TakeNumber(params, "rqPsn", attr.rq_psn, IBV_QP_RQ_PSN, mask);
  TakeNumber(params, "sqPsn", attr.sq_psn, IBV_QP_SQ_PSN, mask);
  TakeNumber(params, "qkey", attr.qkey, IBV_QP_QKEY, mask);
  TakeNumber(params, "maxRdAtomic", attr.max_rd_atomic, IBV_QP_MAX_QP_RD_ATOMIC, mask);
  TakeNumber(params, "maxDestRdAtomic", attr.max_dest_rd_atomic, IBV_QP_MAX_DEST_RD_ATOMIC, mask);
  TakeNumber(params, "minRnrTimer", attr.min_rnr_timer, IBV_QP_MIN_RNR_TIMER, mask);
  TakeNumber(params, "timeout", attr.timeout, IBV_QP_TIMEOUT, mask);
  TakeNumber(params, "retryCnt", attr.retry_cnt, IBV_QP_RETRY_CNT, mask);
  TakeNumber(params, "rnrRetry", attr.rnr_retry, IBV_QP_RNR_RETRY, mask);
  params.End();
  return mask;
}

// ibv_modify_qp(3)
Answer ModifyQp(Handles& handles, Params& params, const Reply&) {
  const auto qp = handles.Get<Qp>(params.String("qp"));
  ibv_qp_attr attr{};
  const int mask = TakeQpAttr(params.Struct("attr"), attr);
  params.End();
  const auto call = Measure([&] { return ibv_modify_qp(qp->pointer, &attr, mask); });
  return Result(call, Refuses::kWithNonzero);
}

// ibv_destroy_qp(3). Providers look into the CQs and the SRQ of the QP until the call returns.
Answer DestroyQp(Handles& handles, Params& params, const Reply& reply) {
  const auto qp = handles.GetUnused<Qp>(params.String("qp"));
  params.End();
  std::vector<std::shared_ptr<CallInside>> inside;
  for (const auto& queue : qp->queues) inside.push_back(std::make_shared<CallInside>(queue));
  const auto call = [pointer = qp->pointer] { return ibv_destroy_qp(pointer); };
  return RunDestruction(handles, qp, reply, call, std::move(inside));
}

}  // namespace

std::vector<Verb> QpVerbs() {
  return {
      {"ibv_create_qp", CreateQp},
      {"ibv_modify_qp", ModifyQp},
      {"ibv_destroy_qp", DestroyQp},
  };
}
