// Extended completion queues: their creation, and the iterator over their completions.
#include <arpa/inet.h>

#include "runtime/arguments.h"
#include "runtime/refusal.h"
#include "runtime/result.h"

namespace {

struct CqExDeleter {
  void operator()(ibv_cq_ex* cq) const noexcept { ibv_destroy_cq(ibv_cq_ex_to_cq(cq)); }
};
using CqExPtr = std::unique_ptr<ibv_cq_ex, CqExDeleter>;

// A number that is unsigned here and int in ibv_create_cq(3): a negative one is converted as C does it.
Member<ibv_cq_init_attr_ex> SignedNumber(const char* name, uint32_t ibv_cq_init_attr_ex::*member) {
  auto number = Number(name, member);
  number.type = IntegerType<int>();
  number.take = [=](const Handles&, Params& params, ibv_cq_init_attr_ex& attr) {
    attr.*member = static_cast<uint32_t>(params.Integer<int>(name));
  };
  return number;
}

const StructTable<ibv_cq_init_attr_ex>& CqInitAttrExTable() {
  using Attr = ibv_cq_init_attr_ex;
  static const StructTable<Attr> table{
      SignedNumber("cqe", &Attr::cqe),
      Word("cqContext", &Attr::cq_context),
      PointerOrNull<CompChannel>("channel", &Attr::channel),
      SignedNumber("compVector", &Attr::comp_vector),
      Bits("wcFlags", &Attr::wc_flags, kCreateCqWcFlags),
      Bits("compMask", &Attr::comp_mask, kCqInitAttrMask),
      Bits("flags", &Attr::flags, kCreateCqAttrFlags),
  };
  return table;
}

// ibv_create_cq_ex(3). ibv_destroy_cq(3) destroys it.
Answer CreateCqEx(const Call& call, std::shared_ptr<Context> context, ibv_cq_init_attr_ex attr) {
  const auto made = Measure([&] { return ibv_create_cq_ex(context->pointer, &attr); });
  CqExPtr cq{made.returned};
  if (!cq) return NullResult(made);
  Json outputs = Json::object();
  outputs["cqe"] = cq->cqe;
  const auto object = call.handles.Add<Cq>(context, ibv_cq_ex_to_cq(cq.get()), cq.get());
  cq.release();
  return Result(made, object->handle, std::move(outputs));
}

void RequireExtended(const Cq& cq) {
  if (cq.extended == nullptr) throw BadParams(cq.handle + " is not an extended CQ");
}

// Without a batch in progress, providers read completions where there are none.
void RequireBatch(const Cq& cq) {
  RequireExtended(cq);
  if (!cq.has_batch) throw BadParams(cq.handle + " has no batch in progress");
}

// The verbs are calls through members of the struct, and what the provider did not set up is a null pointer.
template <class Function>
void RequireSetUp(Function function) {
  if (function == nullptr) throw BadParams("the provider has set up no such function for this CQ");
}

// ibv_start_poll(3)
Answer StartPoll(const Call&, std::shared_ptr<Cq> cq) {
  RequireExtended(*cq);
  RequireNoBatch(*cq);
  RequireSetUp(cq->extended->start_poll);
  ibv_poll_cq_attr attr{};
  const auto started = Measure([&] { return ibv_start_poll(cq->extended, &attr); });
  cq->has_batch = started.returned == 0;
  return Result(started, Refuses::kWithNonzero);
}

// ibv_next_poll(3)
Answer NextPoll(const Call&, std::shared_ptr<Cq> cq) {
  RequireBatch(*cq);
  RequireSetUp(cq->extended->next_poll);
  return Result(Measure([&] { return ibv_next_poll(cq->extended); }), Refuses::kWithNonzero);
}

// ibv_end_poll(3)
Answer EndPoll(const Call&, std::shared_ptr<Cq> cq) {
  RequireBatch(*cq);
  RequireSetUp(cq->extended->end_poll);
  cq->has_batch = false;
  return Result(Measure([&] { ibv_end_poll(cq->extended); }));
}

Answer CqExMembers(const Call&, std::shared_ptr<Cq> cq) {
  RequireExtended(*cq);
  uint64_t wr_id = 0;
  ibv_wc_status status{};
  const auto read = Measure([&] {
    wr_id = cq->extended->wr_id;
    status = cq->extended->status;
  });
  Json outputs = Json::object();
  outputs["wrId"] = WordText(wr_id);
  outputs["status"] = kWcStatus.NameOf(status);
  return Result(read, std::move(outputs));
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
Answer WcRead(const Call&, std::shared_ptr<Cq> cq) {
  RequireBatch(*cq);
  RequireSetUp(cq->extended->*kFunction);
  const auto call = Measure([&] { return kRead(cq->extended); });
  Json outputs = Json::object();
  outputs["value"] = kValueOf(call.returned);
  Json returned = nullptr;  // as it is with 64 bits, which no number of JavaScript holds
  if constexpr (sizeof call.returned <= sizeof(uint32_t)) {
    returned = static_cast<uint32_t>(call.returned);
  }
  return MakeResult(returned, 0, call.started_at_ns, call.duration_ns, std::move(outputs));
}

}  // namespace

std::vector<Verb> CqExVerbs() {
  using Ex = ibv_cq_ex;
  const auto reader = [](const char* name, Answer (*read)(const Call&, std::shared_ptr<Cq>), Json type) {
    return Describe(name, read, Living<Cq>("cq")).Filling({{"value", std::move(type)}});
  };
  return {
      Describe("ibv_create_cq_ex", CreateCqEx, Living<Context>("context"), Struct("cqAttr", CqInitAttrExTable()))
          .Filling({{"cqe", "i32"}}),
      Describe("ibv_start_poll", StartPoll, Living<Cq>("cq")),
      Describe("ibv_next_poll", NextPoll, Living<Cq>("cq")),
      Describe("ibv_end_poll", EndPoll, Living<Cq>("cq")),
      Describe("struct ibv_cq_ex", CqExMembers, Living<Cq>("cq"))
          .Filling({{"wrId", "u64"}, {"status", EnumType(kWcStatus)}}),
      reader("ibv_wc_read_opcode", WcRead<&Ex::read_opcode, ibv_wc_read_opcode, OpcodeValue>, EnumType(kWcOpcode)),
      reader("ibv_wc_read_vendor_err", WcRead<&Ex::read_vendor_err, ibv_wc_read_vendor_err, NumberValue>, "u32"),
      reader("ibv_wc_read_byte_len", WcRead<&Ex::read_byte_len, ibv_wc_read_byte_len, NumberValue>, "u32"),
      reader("ibv_wc_read_imm_data", WcRead<&Ex::read_imm_data, ibv_wc_read_imm_data, ImmValue>, "u32"),
      reader("ibv_wc_read_invalidated_rkey", WcRead<&Ex::read_imm_data, ibv_wc_read_invalidated_rkey, NumberValue>,
             "u32"),
      reader("ibv_wc_read_qp_num", WcRead<&Ex::read_qp_num, ibv_wc_read_qp_num, NumberValue>, "u32"),
      reader("ibv_wc_read_src_qp", WcRead<&Ex::read_src_qp, ibv_wc_read_src_qp, NumberValue>, "u32"),
      reader("ibv_wc_read_wc_flags", WcRead<&Ex::read_wc_flags, ibv_wc_read_wc_flags, FlagsValue>,
             FlagsType(kWcFlags)),
      reader("ibv_wc_read_slid", WcRead<&Ex::read_slid, ibv_wc_read_slid, NumberValue>, "u32"),
      reader("ibv_wc_read_sl", WcRead<&Ex::read_sl, ibv_wc_read_sl, NumberValue>, "u32"),
      reader("ibv_wc_read_dlid_path_bits", WcRead<&Ex::read_dlid_path_bits, ibv_wc_read_dlid_path_bits, NumberValue>,
             "u32"),
      reader("ibv_wc_read_completion_ts", WcRead<&Ex::read_completion_ts, ibv_wc_read_completion_ts, WordValue>,
             "u64"),
  };
}
