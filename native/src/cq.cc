// Completion queues.
#include <algorithm>
#include <cstring>

#include "runtime/arguments.h"
#include "runtime/refusal.h"
#include "runtime/result.h"
#include "server/blocking.h"

namespace {

// Room for completions is made before the verb is called, so a client cannot ask for any amount of it.
constexpr int kMostCompletionsAPoll = 1 << 20;

struct CqDeleter {
  void operator()(ibv_cq* cq) const noexcept { ibv_destroy_cq(cq); }
};
using CqPtr = std::unique_ptr<ibv_cq, CqDeleter>;

// ibv_create_cq(3)
Answer CreateCq(const Call& call, std::shared_ptr<Context> context, int entries, uint64_t cq_context,
                std::shared_ptr<CompChannel> channel, int vector) {
  void* const user_context = reinterpret_cast<void*>(static_cast<uintptr_t>(cq_context));
  ibv_comp_channel* const channel_pointer = channel ? channel->pointer : nullptr;
  const auto made =
      Measure([&] { return ibv_create_cq(context->pointer, entries, user_context, channel_pointer, vector); });
  CqPtr cq{made.returned};
  if (!cq) return NullResult(made);
  Json outputs = Json::object();
  outputs["cqe"] = cq->cqe;
  const auto object = call.handles.Add<Cq>(context, cq.get(), /*extended=*/nullptr);
  cq.release();
  return Result(made, object->handle, std::move(outputs));
}

// ibv_destroy_cq(3)
Answer DestroyCq(const Call& call, std::shared_ptr<Cq> cq) {
  const auto destroy = [pointer = cq->pointer] { return ibv_destroy_cq(pointer); };
  return RunDestruction(call.handles, cq, call.reply, destroy);
}

// ibv_resize_cq(3)
Answer ResizeCq(const Call&, std::shared_ptr<Cq> cq, int entries) {
  RequireNoBatch(*cq);
  const auto resized = Measure([&] { return ibv_resize_cq(cq->pointer, entries); });
  Json outputs = Json::object();
  outputs["cqe"] = cq->pointer->cqe;
  return Result(resized, Refuses::kWithNonzero, std::move(outputs));
}

const StructTable<ibv_moderate_cq>& ModerateCqTable() {
  static const StructTable<ibv_moderate_cq> table{
      Number("cqCount", &ibv_moderate_cq::cq_count),
      Number("cqPeriod", &ibv_moderate_cq::cq_period),
  };
  return table;
}

const StructTable<ibv_modify_cq_attr>& ModifyCqAttrTable() {
  static const StructTable<ibv_modify_cq_attr> table{
      Bits("attrMask", &ibv_modify_cq_attr::attr_mask, kCqAttrMask),
      Struct("moderate", &ibv_modify_cq_attr::moderate, ModerateCqTable()),
  };
  return table;
}

// ibv_modify_cq(3)
Answer ModifyCq(const Call&, std::shared_ptr<Cq> cq, ibv_modify_cq_attr attr) {
  return Result(Measure([&] { return ibv_modify_cq(cq->pointer, &attr); }), Refuses::kWithNonzero);
}

// ibv_req_notify_cq(3)
Answer ReqNotifyCq(const Call&, std::shared_ptr<Cq> cq, int solicited_only) {
  return Result(Measure([&] { return ibv_req_notify_cq(cq->pointer, solicited_only); }), Refuses::kWithNonzero);
}

const StructTable<ibv_wc>& WcTable() {
  static const StructTable<ibv_wc> table{
      Word("wrId", &ibv_wc::wr_id),
      Enumerator("status", &ibv_wc::status, kWcStatus),
      Enumerator("opcode", &ibv_wc::opcode, kWcOpcode),
      Number("vendorErr", &ibv_wc::vendor_err),
      Number("byteLen", &ibv_wc::byte_len),
      NetworkNumber("immData", &ibv_wc::imm_data),
      Number("invalidatedRkey", &ibv_wc::invalidated_rkey),
      Number("qpNum", &ibv_wc::qp_num),
      Number("srcQp", &ibv_wc::src_qp),
      Bits("wcFlags", &ibv_wc::wc_flags, kWcFlags),
      Number("pkeyIndex", &ibv_wc::pkey_index),
      Number("slid", &ibv_wc::slid),
      Number("sl", &ibv_wc::sl),
      Number("dlidPathBits", &ibv_wc::dlid_path_bits),
  };
  return table;
}

// Room for completions. It is filled with bytes that no provider writes, so that a member which is left unwritten does
// not pass for a 0, and there is one element more, which shows by them whether the provider wrote beyond the end.
class CompletionRoom {
 public:
  explicit CompletionRoom(int entries) : elements_(static_cast<size_t>(std::max(entries, 0)) + 1) {
    std::memset(elements_.data(), kUnwritten, elements_.size() * sizeof(ibv_wc));
  }

  ibv_wc* Data() { return elements_.data(); }

  // The first `count` of them, or as many as there is room for.
  Json Completions(int count) const {
    const size_t written = std::min(static_cast<size_t>(std::max(count, 0)), elements_.size() - 1);
    Json completions = Json::array();
    for (size_t index = 0; index < written; ++index) completions.push_back(WcTable().Give(elements_[index]));
    return completions;
  }

  bool Overflowed() const {
    const auto* const guard = reinterpret_cast<const unsigned char*>(&elements_.back());
    return !std::all_of(guard, guard + sizeof(ibv_wc), [](unsigned char byte) { return byte == kUnwritten; });
  }

 private:
  static constexpr unsigned char kUnwritten = 0xa5;
  std::vector<ibv_wc> elements_;
};

// ibv_poll_cq(3)
Answer PollCq(const Call&, std::shared_ptr<Cq> cq, int num_entries) {
  if (num_entries > kMostCompletionsAPoll) {
    throw BadParams("parameter numEntries must be at most " + std::to_string(kMostCompletionsAPoll));
  }
  RequireNoBatch(*cq);
  CompletionRoom room(num_entries);
  const auto polled = Measure([&] { return ibv_poll_cq(cq->pointer, num_entries, room.Data()); });
  Json outputs = Json::object();
  outputs["wc"] = room.Completions(polled.returned);
  outputs["overflowed"] = room.Overflowed();
  return Result(polled, Refuses::kWithNegative, std::move(outputs));
}

// ibv_ack_cq_events(3)
Answer AckCqEvents(const Call&, std::shared_ptr<Cq> cq, unsigned int nevents) {
  // Once everything is acknowledged, the destruction may end at any moment, and the memory of the CQ with it.
  if (cq->state == Object::State::kBeingDestroyed && cq->events_unacknowledged == 0) {
    throw BadHandle(cq->handle + " is being destroyed and has no event to acknowledge");
  }
  cq->events_unacknowledged -= nevents;
  return Result(Measure([&] { ibv_ack_cq_events(cq->pointer, nevents); }));
}

}  // namespace

std::vector<Verb> CqVerbs() {
  return {
      Describe("ibv_create_cq", CreateCq, Living<Context>("context"), Integer<int>("cqe"), Word("cqContext"),
               ObjectOrNull<CompChannel>("channel"), Integer<int>("compVector"))
          .Filling({{"cqe", "i32"}}),
      Describe("ibv_destroy_cq", DestroyCq, Unused<Cq>("cq")),
      Describe("ibv_resize_cq", ResizeCq, Living<Cq>("cq"), Integer<int>("cqe")).Filling({{"cqe", "i32"}}),
      Describe("ibv_modify_cq", ModifyCq, Living<Cq>("cq"), Struct("attr", ModifyCqAttrTable())),
      Describe("ibv_req_notify_cq", ReqNotifyCq, Living<Cq>("cq"), Integer<int>("solicitedOnly")),
      Describe("ibv_poll_cq", PollCq, Living<Cq>("cq"), Integer<int>("numEntries"))
          .Filling({{"wc", Json::array({WcTable().Type()})}, {"overflowed", "bool"}}),
      Describe("ibv_ack_cq_events", AckCqEvents, Acknowledgeable<Cq>("cq"), Integer<unsigned int>("nevents")),
  };
}
