// Completion channels and the events on them.
#include "blocking.h"
#include "result.h"
#include "text.h"
#include "verbs.h"

namespace {

struct CompChannelDeleter {
  void operator()(ibv_comp_channel* channel) const noexcept { ibv_destroy_comp_channel(channel); }
};
using CompChannelPtr = std::unique_ptr<ibv_comp_channel, CompChannelDeleter>;

// ibv_create_comp_channel(3)
Napi::Value CreateCompChannel(Napi::Env env, Handles& handles, Params& params) {
  const auto context = handles.Get<Context>(params.String("context"));
  params.End();
  const auto call = Measure([&] { return ibv_create_comp_channel(context->pointer); });
  CompChannelPtr channel{call.returned};
  if (!channel) return NullResult(env, call);
  const auto object = handles.Add<CompChannel>(context, channel.get());
  channel.release();
  return Result(env, call, object->handle, Napi::Object::New(env));
}

// ibv_destroy_comp_channel(3)
Napi::Value DestroyCompChannel(Napi::Env env, Handles& handles, Params& params) {
  const auto channel = handles.GetUnused<CompChannel>(params.String("channel"));
  params.End();
  const auto call = Measure([&] { return ibv_destroy_comp_channel(channel->pointer); });
  if (call.returned == 0) handles.Remove(*channel);
  return Result(env, call, Refuses::kWithNonzero);
}

struct TakenCqEvent {
  ibv_cq* cq = nullptr;
  void* cq_context = nullptr;
};

Napi::Object CqEventOutputs(Napi::Env env, Handles& handles, const TakenCqEvent& event) {
  const auto cq = handles.FindByAddress<Cq>(event.cq);
  if (cq) ++cq->events_unacknowledged;
  const auto cq_context = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(event.cq_context));
  Napi::Object outputs = Napi::Object::New(env);
  outputs.Set("cq", cq ? cq->handle : UnknownObject("cq", event.cq));
  outputs.Set("cqContext", WordText(cq_context));
  return outputs;
}

// ibv_get_cq_event(3)
Napi::Value GetCqEvent(Napi::Env env, Handles& handles, Params& params) {
  const auto channel = handles.Get<CompChannel>(params.String("channel"));
  params.End();
  const auto event = std::make_shared<TakenCqEvent>();
  const auto inside = std::make_shared<CallInside>(channel);
  const auto call = [pointer = channel->pointer, event] {
    return ibv_get_cq_event(pointer, &event->cq, &event->cq_context);
  };
  return RunBlocking(env, call, [&handles, event, inside](Napi::Env env, const Measured<int>& call) -> Napi::Value {
    if (call.returned != 0) return Result(env, call, Refuses::kWithNonzero);
    return Result(env, call, Refuses::kWithNonzero, CqEventOutputs(env, handles, *event));
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
