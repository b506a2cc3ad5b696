// Members of structs that a program reads without a call. Pointers travel as the handles of what they point to.
#include "result.h"
#include "text.h"
#include "verbs.h"

namespace {

// The handle of what is at the address, null for a null pointer.
template <class T>
Napi::Value PointerValue(Napi::Env env, const Handles& handles, const void* address) {
  if (address == nullptr) return env.Null();
  const auto object = handles.FindByAddress<T>(address);
  return Napi::String::New(env, object ? object->handle : UnknownObject(T::kKind, address));
}

Napi::Value CompChannelMembers(Napi::Env env, Handles& handles, Params& params) {
  const auto channel = handles.Get<CompChannel>(params.String("channel"));
  params.End();
  const ibv_comp_channel& members = *channel->pointer;
  Napi::Object outputs = Napi::Object::New(env);
  const auto call = Measure([&] {
    outputs.Set("context", PointerValue<Context>(env, handles, members.context));
    outputs.Set("fd", members.fd);
  });
  return Result(env, call, outputs);
}

Napi::Value CqMembers(Napi::Env env, Handles& handles, Params& params) {
  const auto cq = handles.Get<Cq>(params.String("cq"));
  params.End();
  const ibv_cq& members = *cq->pointer;
  Napi::Object outputs = Napi::Object::New(env);
  const auto call = Measure([&] {
    const auto cq_context = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(members.cq_context));
    outputs.Set("context", PointerValue<Context>(env, handles, members.context));
    outputs.Set("channel", PointerValue<CompChannel>(env, handles, members.channel));
    outputs.Set("cqContext", WordText(cq_context));
    outputs.Set("cqe", members.cqe);
  });
  return Result(env, call, outputs);
}

}  // namespace

std::vector<Verb> MemberVerbs() {
  return {{"struct ibv_comp_channel", CompChannelMembers}, {"struct ibv_cq", CqMembers}};
}
