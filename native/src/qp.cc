// Queue pairs.
#include "ah_attr.h"
#include "runtime/arguments.h"
#include "runtime/result.h"
#include "server/blocking.h"

namespace {

struct QpDeleter {
  void operator()(ibv_qp* qp) const noexcept { ibv_destroy_qp(qp); }
};
using QpPtr = std::unique_ptr<ibv_qp, QpDeleter>;

const StructTable<ibv_qp_cap>& QpCapTable() {
  static const StructTable<ibv_qp_cap> table{
      Number("maxSendWr", &ibv_qp_cap::max_send_wr),
      Number("maxRecvWr", &ibv_qp_cap::max_recv_wr),
      Number("maxSendSge", &ibv_qp_cap::max_send_sge),
      Number("maxRecvSge", &ibv_qp_cap::max_recv_sge),
      Number("maxInlineData", &ibv_qp_cap::max_inline_data),
  };
  return table;
}

const StructTable<ibv_qp_init_attr>& QpInitAttrTable() {
  static const StructTable<ibv_qp_init_attr> table{
      Pointer<Cq>("sendCq", &ibv_qp_init_attr::send_cq),
      Pointer<Cq>("recvCq", &ibv_qp_init_attr::recv_cq),
      PointerOrNull<Srq>("srq", &ibv_qp_init_attr::srq),
      Struct("cap", &ibv_qp_init_attr::cap, QpCapTable()),
      Enumerator("qpType", &ibv_qp_init_attr::qp_type, kQpType),
      Flag("sqSigAll", &ibv_qp_init_attr::sq_sig_all),
  };
  return table;
}

const StructTable<ibv_qp_attr>& QpAttrTable() {
  using Attr = ibv_qp_attr;
  static const StructTable<Attr> table{
      Optional(Enumerator("qpState", &Attr::qp_state, kQpState)),
      Optional(Enumerator("curQpState", &Attr::cur_qp_state, kQpState)),
      Optional(Enumerator("pathMtu", &Attr::path_mtu, kMtu)),
      Optional(Enumerator("pathMigState", &Attr::path_mig_state, kMigState)),
      Optional(Number("qkey", &Attr::qkey)),
      Optional(Number("rqPsn", &Attr::rq_psn)),
      Optional(Number("sqPsn", &Attr::sq_psn)),
      Optional(Number("destQpNum", &Attr::dest_qp_num)),
      Optional(Bits("qpAccessFlags", &Attr::qp_access_flags, kAccessFlags)),
      Optional(Struct("cap", &Attr::cap, QpCapTable())),
      Optional(Struct("ahAttr", &Attr::ah_attr, AhAttrTable())),
      Optional(Struct("altAhAttr", &Attr::alt_ah_attr, AhAttrTable())),
      Optional(Number("pkeyIndex", &Attr::pkey_index)),
      Optional(Number("altPkeyIndex", &Attr::alt_pkey_index)),
      Optional(Flag("enSqdAsyncNotify", &Attr::en_sqd_async_notify)),
      Optional(Number("maxRdAtomic", &Attr::max_rd_atomic)),
      Optional(Number("maxDestRdAtomic", &Attr::max_dest_rd_atomic)),
      Optional(Number("minRnrTimer", &Attr::min_rnr_timer)),
      Optional(Number("portNum", &Attr::port_num)),
      Optional(Number("timeout", &Attr::timeout)),
      Optional(Number("retryCnt", &Attr::retry_cnt)),
      Optional(Number("rnrRetry", &Attr::rnr_retry)),
      Optional(Number("altPortNum", &Attr::alt_port_num)),
      Optional(Number("altTimeout", &Attr::alt_timeout)),
      Optional(Number("rateLimit", &Attr::rate_limit)),
  };
  return table;
}

// Without the paths: what ibv_query_qp(3) fills in.
const StructTable<ibv_qp_attr>& QueriedQpAttrTable() {
  using Attr = ibv_qp_attr;
  static const StructTable<Attr> table{
      Enumerator("qpState", &Attr::qp_state, kQpState),
      Enumerator("pathMtu", &Attr::path_mtu, kMtu),
      Number("qkey", &Attr::qkey),
      Number("rqPsn", &Attr::rq_psn),
      Number("sqPsn", &Attr::sq_psn),
      Number("destQpNum", &Attr::dest_qp_num),
      Bits("qpAccessFlags", &Attr::qp_access_flags, kAccessFlags),
      Struct("cap", &Attr::cap, QpCapTable()),
      Number("pkeyIndex", &Attr::pkey_index),
      Flag("sqDraining", &Attr::sq_draining),
      Number("maxRdAtomic", &Attr::max_rd_atomic),
      Number("maxDestRdAtomic", &Attr::max_dest_rd_atomic),
      Number("minRnrTimer", &Attr::min_rnr_timer),
      Number("portNum", &Attr::port_num),
      Number("timeout", &Attr::timeout),
      Number("retryCnt", &Attr::retry_cnt),
      Number("rnrRetry", &Attr::rnr_retry),
  };
  return table;
}

// Without the objects.
const StructTable<ibv_qp_init_attr>& QueriedQpInitAttrTable() {
  static const StructTable<ibv_qp_init_attr> table{
      Struct("cap", &ibv_qp_init_attr::cap, QpCapTable()),
      Enumerator("qpType", &ibv_qp_init_attr::qp_type, kQpType),
      Flag("sqSigAll", &ibv_qp_init_attr::sq_sig_all),
  };
  return table;
}

// The CQs and the SRQ of a QP, which have just been found by their handles.
std::vector<std::shared_ptr<Object>> QueuesOf(const Handles& handles, const ibv_qp_init_attr& attr) {
  std::vector<std::shared_ptr<Object>> queues{handles.FindByAddress<Cq>(attr.send_cq),
                                              handles.FindByAddress<Cq>(attr.recv_cq)};
  if (attr.srq) queues.push_back(handles.FindByAddress<Srq>(attr.srq));
  return queues;
}

// ibv_create_qp(3)
Answer CreateQp(const Call& call, std::shared_ptr<Pd> pd, ibv_qp_init_attr attr) {
  auto queues = QueuesOf(call.handles, attr);
  const auto made = Measure([&] { return ibv_create_qp(pd->pointer, &attr); });
  QpPtr qp{made.returned};
  if (!qp) return NullResult(made);
  Json outputs = Json::object();
  outputs["qpNum"] = qp->qp_num;
  outputs["cap"] = QpCapTable().Give(attr.cap);
  const auto object = call.handles.Add<Qp>(pd->context, std::move(queues), qp.get());
  qp.release();
  return Result(made, object->handle, std::move(outputs));
}

// ibv_modify_qp(3)
Answer ModifyQp(const Call&, std::shared_ptr<Qp> qp, ibv_qp_attr attr, int mask) {
  return Result(Measure([&] { return ibv_modify_qp(qp->pointer, &attr, mask); }), Refuses::kWithNonzero);
}

// ibv_query_qp(3)
Answer QueryQp(const Call&, std::shared_ptr<Qp> qp, int mask) {
  ibv_qp_attr attr{};
  ibv_qp_init_attr init_attr{};
  const auto queried = Measure([&] { return ibv_query_qp(qp->pointer, &attr, mask, &init_attr); });
  Json outputs = Json::object();
  if (queried.returned != 0) return Result(queried, Refuses::kWithNonzero, std::move(outputs));
  outputs["attr"] = QueriedQpAttrTable().Give(attr);
  outputs["initAttr"] = QueriedQpInitAttrTable().Give(init_attr);
  return Result(queried, Refuses::kWithNonzero, std::move(outputs));
}

// ibv_destroy_qp(3). Providers look into the CQs and the SRQ of the QP until the call returns.
Answer DestroyQp(const Call& call, std::shared_ptr<Qp> qp) {
  std::vector<std::shared_ptr<CallInside>> inside;
  for (const auto& queue : qp->queues) inside.push_back(std::make_shared<CallInside>(queue));
  const auto destroy = [pointer = qp->pointer] { return ibv_destroy_qp(pointer); };
  return RunDestruction(call.handles, qp, call.reply, destroy, std::move(inside));
}

}  // namespace

std::vector<Verb> QpVerbs() {
  return {
      Describe("ibv_create_qp", CreateQp, Living<Pd>("pd"), Struct("qpInitAttr", QpInitAttrTable()))
          .Filling({{"qpNum", "u32"}, {"cap", QpCapTable().Type()}}),
      Describe("ibv_modify_qp", ModifyQp, Living<Qp>("qp"), Struct("attr", QpAttrTable()),
               Bits<int>("attrMask", kQpAttrMask)),
      Describe("ibv_query_qp", QueryQp, Living<Qp>("qp"), Bits<int>("attrMask", kQpAttrMask))
          .Filling({{"attr", QueriedQpAttrTable().Type()}, {"initAttr", QueriedQpInitAttrTable().Type()}}),
      Describe("ibv_destroy_qp", DestroyQp, Unused<Qp>("qp")),
  };
}
