// Completion channels and the events on them.
#include "runtime/arguments.h"
#include "runtime/result.h"
#include "server/blocking.h"

namespace {

struct CompChannelDeleter {
  void operator()(ibv_comp_channel* channel) const noexcept { ibv_destroy_comp_channel(channel); }
};
using CompChannelPtr = std::unique_ptr<ibv_comp_channel, CompChannelDeleter>;

// ibv_create_comp_channel(3)
Answer CreateCompChannel(const Call& call, std::shared_ptr<Context> context) {
  const auto made = Measure([&] { return ibv_create_comp_channel(context->pointer); });
  CompChannelPtr channel{made.returned};
  if (!channel) return NullResult(made);
  const auto object = call.handles.Add<CompChannel>(context, channel.get());
  channel.release();
  return Result(made, object->handle, Json::object());
}

// ibv_destroy_comp_channel(3)
Answer DestroyCompChannel(const Call& call, std::shared_ptr<CompChannel> channel) {
  const auto destroy = [pointer = channel->pointer] { return ibv_destroy_comp_channel(pointer); };
  return RunDestruction(call.handles, channel, Reply{}, destroy);
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
Answer GetCqEvent(const Call& call, std::shared_ptr<CompChannel> channel) {
  const auto event = std::make_shared<TakenCqEvent>();
  const auto inside = std::make_shared<CallInside>(channel);
  const auto get = [pointer = channel->pointer, event] {
    return ibv_get_cq_event(pointer, &event->cq, &event->cq_context);
  };
  return RunBlocking(call.reply, get, [&handles = call.handles, event, inside](const Measured<int>& got) {
    if (got.returned != 0) return Result(got, Refuses::kWithNonzero);
    return Result(got, Refuses::kWithNonzero, CqEventOutputs(handles, *event));
  });
}

}  // namespace

std::vector<Verb> CompChannelVerbs() {
  return {
      Describe("ibv_create_comp_channel", CreateCompChannel, Living<Context>("context")),
      Describe("ibv_destroy_comp_channel", DestroyCompChannel, Unused<CompChannel>("channel")),
      Describe("ibv_get_cq_event", GetCqEvent, Living<CompChannel>("channel"))
          .Filling({{"cq", ObjectType<Cq>()}, {"cqContext", "u64"}}),
  };
}
