// Completion queues.
#include <arpa/inet.h>

#include <algorithm>
#include <cstring>

#include "server/blocking.h"
#include "runtime/refusal.h"
#include "runtime/result.h"
#include "runtime/text.h"
#include "runtime/verbs.h"

namespace {

// Room for completions is made before the verb is called, so a client cannot ask for any amount of it.
constexpr int kMostCompletionsAPoll = 1 << 20;

struct CqDeleter {
  void operator()(ibv_cq* cq) const noexcept { ibv_destroy_cq(cq); }
};
using CqPtr = std::unique_ptr<ibv_cq, CqDeleter>;

// ibv_create_cq(3)
Answer CreateCq(Handles& handles, Params& params, const Reply&) {
  const auto context = handles.Get<Context>(params.String("context"));
  const auto entries = params.Integer<int>("cqe");
  void* const cq_context = reinterpret_cast<void*>(static_cast<uintptr_t>(params.Word("cqContext")));
  const auto channel =
      params.IsNull("channel") ? nullptr : handles.Get<CompChannel>(params.String("channel"));
  const auto vector = params.Integer<int>("compVector");
  params.End();
  ibv_comp_channel* const channel_pointer = channel ? channel->pointer : nullptr;
  const auto call =
      Measure([&] { return ibv_create_cq(context->pointer, entries, cq_context, channel_pointer, vector); });
  CqPtr cq{call.returned};
  if (!cq) return NullResult(call);
  Json outputs = Json::object();
  outputs["cqe"] = cq->cqe;
  const auto object = handles.Add<Cq>(context, cq.get(), /*extended=*/nullptr);
  cq.release();
  return Result(call, object->handle, outputs);
}

// ibv_destroy_cq(3)
Answer DestroyCq(Handles& handles, Params& params, const Reply& reply) {
  const auto cq = handles.GetUnused<Cq>(params.String("cq"));
  params.End();
  const auto call = [pointer = cq->pointer] { return ibv_destroy_cq(pointer); };
  return RunDestruction(handles, cq, reply, call);
}

// ibv_resize_cq(3)
Answer ResizeCq(Handles& handles, Params& params, const Reply&) {
  const auto cq = handles.Get<Cq>(params.String("cq"));
  const auto entries = params.Integer<int>("cqe");
  params.End();
  RequireNoBatch(*cq);
  const auto call = Measure([&] { return ibv_resize_cq(cq->pointer, entries); });
  Json outputs = Json::object();
  outputs["cqe"] = cq->pointer->cqe;
  return Result(call, Refuses::kWithNonzero, outputs);
}

ibv_moderate_cq ModerationOf(Params params) {
  ibv_moderate_cq moderation{};
  moderation.cq_count = params.Integer<uint16_t>("cqCount");
  moderation.cq_period = params.Integer<uint16_t>("cqPeriod");
  params.End();
  return moderation;
}

// ibv_modify_cq(3)
Answer ModifyCq(Handles& handles, Params& params, const Reply&) {
  const auto cq = handles.Get<Cq>(params.String("cq"));
  Params members = params.Struct("attr");
  params.End();
  ibv_modify_cq_attr attr{};
  attr.attr_mask = static_cast<uint32_t>(members.Flags("attrMask", kCqAttrMask));
  attr.moderate = ModerationOf(members.Struct("moderate"));
  members.End();
  return Result(Measure([&] { return ibv_modify_cq(cq->pointer, &attr); }), Refuses::kWithNonzero);
}

// ibv_req_notify_cq(3)
Answer ReqNotifyCq(Handles& handles, Params& params, const Reply&) {
  const auto cq = handles.Get<Cq>(params.String("cq"));
  const auto solicited_only = params.Integer<int>("solicitedOnly");
  params.End();
  const auto call = Measure([&] { return ibv_req_notify_cq(cq->pointer, solicited_only); });
  return Result(call, Refuses::kWithNonzero);
}

Json WcStruct(const ibv_wc& wc) {
  Json completion = Json::object();
  completion["wrId"] = WordText(wc.wr_id);
  completion["status"] = kWcStatus.NameOf(wc.status);
  completion["opcode"] = kWcOpcode.NameOf(wc.opcode);
  completion["vendorErr"] = wc.vendor_err;
  completion["byteLen"] = wc.byte_len;
  completion["immData"] = ntohl(wc.imm_data);
  completion["invalidatedRkey"] = wc.invalidated_rkey;
  completion["qpNum"] = wc.qp_num;
  completion["srcQp"] = wc.src_qp;
  completion["wcFlags"] = kWcFlags.NamesOf(wc.wc_flags);
  completion["pkeyIndex"] = wc.pkey_index;
  completion["slid"] = wc.slid;
  completion["sl"] = wc.sl;
  completion["dlidPathBits"] = wc.dlid_path_bits;
  return completion;
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
    for (size_t index = 0; index < written; ++index) completions.push_back(WcStruct(elements_[index]));
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
Answer PollCq(Handles& handles, Params& params, const Reply&) {
  const auto cq = handles.Get<Cq>(params.String("cq"));
  const auto num_entries = params.Integer<int>("numEntries");
  params.End();
  if (num_entries > kMostCompletionsAPoll) {
    throw BadParams("parameter numEntries must be at most " + std::to_string(kMostCompletionsAPoll));
  }
  RequireNoBatch(*cq);
  CompletionRoom room(num_entries);
  const auto call = Measure([&] { return ibv_poll_cq(cq->pointer, num_entries, room.Data()); });
  Json outputs = Json::object();
  outputs["wc"] = room.Completions(call.returned);
  outputs["overflowed"] = room.Overflowed();
  return Result(call, Refuses::kWithNegative, outputs);
}

// ibv_ack_cq_events(3)
Answer AckCqEvents(Handles& handles, Params& params, const Reply&) {
  const auto cq = handles.GetAcknowledgeable<Cq>(params.String("cq"));
  const auto nevents = params.Integer<unsigned int>("nevents");
  params.End();
  // Once everything is acknowledged, the destruction may end at any moment, and the memory of the CQ with it.
  if (cq->state == Object::State::kBeingDestroyed && cq->events_unacknowledged <= 0) {
    throw BadHandle(cq->handle + " is being destroyed and has no event to acknowledge");
  }
  cq->events_unacknowledged -= nevents;
  return Result(Measure([&] { ibv_ack_cq_events(cq->pointer, nevents); }));
}

}  // namespace

std::vector<Verb> CqVerbs() {
  return {
      {"ibv_create_cq", CreateCq},
      {"ibv_destroy_cq", DestroyCq},
      {"ibv_resize_cq", ResizeCq},
      {"ibv_modify_cq", ModifyCq},
      {"ibv_req_notify_cq", ReqNotifyCq},
      {"ibv_poll_cq", PollCq},
      {"ibv_ack_cq_events", AckCqEvents},
  };
}
