// Extended completion queues: their creation, and the iterator over their completions.
#include <arpa/inet.h>

#include "runtime/refusal.h"
#include "runtime/result.h"
#include "runtime/text.h"
#include "runtime/verbs.h"

namespace {

struct CqExDeleter {
  void operator()(ibv_cq_ex* cq) const noexcept { ibv_destroy_cq(ibv_cq_ex_to_cq(cq)); }
};
using CqExPtr = std::unique_ptr<ibv_cq_ex, CqExDeleter>;

// ibv_create_cq_ex(3). ibv_destroy_cq(3) destroys it.
Answer CreateCqEx(Handles& handles, Params& params, const Reply&) {
  const auto context = handles.Get<Context>(params.String("context"));
  ibv_cq_init_attr_ex attr{};
  // The two numbers are unsigned here and int in ibv_create_cq(3): a negative one is converted as C does it.
  attr.cqe = static_cast<uint32_t>(params.Integer<int>("cqe"));
  attr.cq_context = reinterpret_cast<void*>(static_cast<uintptr_t>(params.Word("cqContext")));
  const auto channel = params.IsNull("channel") ? nullptr : handles.Get<CompChannel>(params.String("channel"));
  attr.channel = channel ? channel->pointer : nullptr;
  attr.comp_vector = static_cast<uint32_t>(params.Integer<int>("compVector"));
  attr.wc_flags = params.Flags("wcFlags", kCreateCqWcFlags);
  attr.comp_mask = static_cast<uint32_t>(params.Flags("compMask", kCqInitAttrMask));
  attr.flags = static_cast<uint32_t>(params.Flags("flags", kCreateCqAttrFlags));
  params.End();
  const auto call = Measure([&] { return ibv_create_cq_ex(context->pointer, &attr); });
  CqExPtr cq{call.returned};
  if (!cq) return NullResult(call);
  Json outputs = Json::object();
  outputs["cqe"] = cq->cqe;
  const auto object = handles.Add<Cq>(context, ibv_cq_ex_to_cq(cq.get()), cq.get());
  cq.release();
  return Result(call, object->handle, outputs);
}

// The extended CQ that the request names. Throws BadParams for one that is not extended.
std::shared_ptr<Cq> TakeExtended(const Handles& handles, Params& params) {
  const auto cq = handles.Get<Cq>(params.String("cq"));
  params.End();
  if (cq->extended == nullptr) throw BadParams(cq->handle + " is no extended CQ");
  return cq;
}

// The same, with a batch in progress: without one, providers read completions where there are none.
std::shared_ptr<Cq> TakeWithBatch(const Handles& handles, Params& params) {
  const auto cq = TakeExtended(handles, params);
  if (!cq->has_batch) throw BadParams(cq->handle + " has no batch in progress");
  return cq;
}

// The verbs are calls through members of the struct, and what the provider did not set up is a null pointer.
template <class Function>
void RequireSetUp(Function function) {
  if (function == nullptr) throw BadParams("the provider has set up no such function for this CQ");
}

// ibv_start_poll(3)
Answer StartPoll(Handles& handles, Params& params, const Reply&) {
  const auto cq = TakeExtended(handles, params);
  RequireNoBatch(*cq);
  RequireSetUp(cq->extended->start_poll);
  ibv_poll_cq_attr attr{};
  const auto call = Measure([&] { return ibv_start_poll(cq->extended, &attr); });
  cq->has_batch = call.returned == 0;
  return Result(call, Refuses::kWithNonzero);
}

// ibv_next_poll(3)
Answer NextPoll(Handles& handles, Params& params, const Reply&) {
  ibv_cq_ex* const cq = TakeWithBatch(handles, params)->extended;
  RequireSetUp(cq->next_poll);
  return Result(Measure([&] { return ibv_next_poll(cq); }), Refuses::kWithNonzero);
}

// ibv_end_poll(3)
Answer EndPoll(Handles& handles, Params& params, const Reply&) {
  const auto cq = TakeWithBatch(handles, params);
  RequireSetUp(cq->extended->end_poll);
  cq->has_batch = false;
  return Result(Measure([&] { ibv_end_poll(cq->extended); }));
}

Answer CqExMembers(Handles& handles, Params& params, const Reply&) {
  const ibv_cq_ex* const cq = TakeExtended(handles, params)->extended;
  uint64_t wr_id = 0;
  ibv_wc_status status{};
  const auto call = Measure([&] {
    wr_id = cq->wr_id;
    status = cq->status;
  });
  Json outputs = Json::object();
  outputs["wrId"] = WordText(wr_id);
  outputs["status"] = kWcStatus.NameOf(status);
  return Result(call, outputs);
}

Json NumberValue(uint32_t number) { return number; }
Json WordValue(uint64_t word) { return WordText(word); }
Json ImmValue(uint32_t imm_data) { return NumberValue(ntohl(imm_data)); }
Json FlagsValue(uint32_t flags) { return kWcFlags.NamesOf(flags); }
Json OpcodeValue(ibv_wc_opcode opcode) {
  return kWcOpcode.NameOf(opcode);
}

// ibv_wc_read_...(3): `kFunction` is the provider's function, `kRead` the verb that calls it.
template <auto kFunction, auto kRead, auto kValueOf>
Answer WcRead(Handles& handles, Params& params, const Reply&) {
  ibv_cq_ex* const cq = TakeWithBatch(handles, params)->extended;
  RequireSetUp(cq->*kFunction);
  const auto call = Measure([&] { return kRead(cq); });
  Json outputs = Json::object();
  outputs["value"] = kValueOf(call.returned);
  Json returned = nullptr;  // as it is with 64 bits, which no number of JavaScript holds
  if constexpr (sizeof call.returned <= sizeof(uint32_t)) {
    returned = static_cast<uint32_t>(call.returned);
  }
  return MakeResult(returned, 0, call.started_at_ns, call.duration_ns, outputs);
}

}  // namespace

std::vector<Verb> CqExVerbs() {
  using Cq = ibv_cq_ex;
  return {
      {"ibv_create_cq_ex", CreateCqEx},
      {"ibv_start_poll", StartPoll},
      {"ibv_next_poll", NextPoll},
      {"ibv_end_poll", EndPoll},
      {"struct ibv_cq_ex", CqExMembers},
      {"ibv_wc_read_opcode", WcRead<&Cq::read_opcode, ibv_wc_read_opcode, OpcodeValue>},
      {"ibv_wc_read_vendor_err", WcRead<&Cq::read_vendor_err, ibv_wc_read_vendor_err, NumberValue>},
      {"ibv_wc_read_byte_len", WcRead<&Cq::read_byte_len, ibv_wc_read_byte_len, NumberValue>},
      {"ibv_wc_read_imm_data", WcRead<&Cq::read_imm_data, ibv_wc_read_imm_data, ImmValue>},
      {"ibv_wc_read_invalidated_rkey", WcRead<&Cq::read_imm_data, ibv_wc_read_invalidated_rkey, NumberValue>},
      {"ibv_wc_read_qp_num", WcRead<&Cq::read_qp_num, ibv_wc_read_qp_num, NumberValue>},
      {"ibv_wc_read_src_qp", WcRead<&Cq::read_src_qp, ibv_wc_read_src_qp, NumberValue>},
      {"ibv_wc_read_wc_flags", WcRead<&Cq::read_wc_flags, ibv_wc_read_wc_flags, FlagsValue>},
      {"ibv_wc_read_slid", WcRead<&Cq::read_slid, ibv_wc_read_slid, NumberValue>},
      {"ibv_wc_read_sl", WcRead<&Cq::read_sl, ibv_wc_read_sl, NumberValue>},
      {"ibv_wc_read_dlid_path_bits", WcRead<&Cq::read_dlid_path_bits, ibv_wc_read_dlid_path_bits, NumberValue>},
      {"ibv_wc_read_completion_ts", WcRead<&Cq::read_completion_ts, ibv_wc_read_completion_ts, WordValue>},
  };
}
