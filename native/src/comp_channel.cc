// Completion channels and the events on them.
#include "server/blocking.h"
#include "runtime/result.h"
#include "runtime/text.h"
#include "runtime/verbs.h"

namespace {

struct CompChannelDeleter {
  void operator()(ibv_comp_channel* channel) const noexcept { ibv_destroy_comp_channel(channel); }
};
using CompChannelPtr = std::unique_ptr<ibv_comp_channel, CompChannelDeleter>;

// ibv_create_comp_channel(3)
Answer CreateCompChannel(Handles& handles, Params& params, const Reply&) {
  const auto context = handles.Get<Context>(params.String("context"));
  params.End();
  const auto call = Measure([&] { return ibv_create_comp_channel(context->pointer); });
  CompChannelPtr channel{call.returned};
  if (!channel) return NullResult(call);
  const auto object = handles.Add<CompChannel>(context, channel.get());
  channel.release();
  return Result(call, object->handle, Json::object());
}

// ibv_destroy_comp_channel(3)
Answer DestroyCompChannel(Handles& handles, Params& params, const Reply&) {
  const auto channel = handles.GetUnused<CompChannel>(params.String("channel"));
  params.End();
  const auto call = Measure([&] { return ibv_destroy_comp_channel(channel->pointer); });
  if (call.returned == 0) handles.Remove(*channel);
  return Result(call, Refuses::kWithNonzero);
}

struct TakenCqEvent {
  ibv_cq* cq = nullptr;
  void* cq_context = nullptr;
};

Json CqEventOutputs(Handles& handles, const TakenCqEvent& event) {
  const auto cq = handles.FindByAddress<Cq>(event.cq);
  if (cq) ++cq->events_unacknowledged;
  const auto cq_context = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(event.cq_context));
  Json outputs = Json::object();
  outputs["cq"] = cq ? cq->handle : UnknownObject("cq", event.cq);
  outputs["cqContext"] = WordText(cq_context);
  return outputs;
}

// ibv_get_cq_event(3)
Answer GetCqEvent(Handles& handles, Params& params, const Reply& reply) {
  const auto channel = handles.Get<CompChannel>(params.String("channel"));
  params.End();
  const auto event = std::make_shared<TakenCqEvent>();
  const auto inside = std::make_shared<CallInside>(channel);
  const auto call = [pointer = channel->pointer, event] {
    return ibv_get_cq_event(pointer, &event->cq, &event->cq_context);
  };
  return RunBlocking(reply, call, [&handles, event, inside](const Measured<int>& call) {
    if (call.returned != 0) return Result(call, Refuses::kWithNonzero);
    return Result(call, Refuses::kWithNonzero, CqEventOutputs(handles, *event));
  });
}

}  // namespace

std::vector<Verb> CompChannelVerbs() {
  return {
      {"ibv_create_comp_channel", CreateCompChannel},
      {"ibv_destroy_comp_channel", DestroyCompChannel},
      {"ibv_get_cq_event", GetCqEvent},
  };
}
