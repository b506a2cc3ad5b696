// Members of structs that a program reads without a call. Pointers travel as the handles of what they point to.
#include "runtime/result.h"
#include "runtime/text.h"
#include "runtime/verbs.h"

namespace {

// The handle of what is at the address, null for a null pointer.
template <class T>
Json PointerValue(const Handles& handles, const void* address) {
  if (address == nullptr) return nullptr;
  const auto object = handles.FindByAddress<T>(address);
  return object ? object->handle : UnknownObject(T::kKind, address);
}

Answer CompChannelMembers(Handles& handles, Params& params, const Reply&) {
  const auto channel = handles.Get<CompChannel>(params.String("channel"));
  params.End();
  const ibv_comp_channel& members = *channel->pointer;
  Json outputs = Json::object();
  const auto call = Measure([&] {
    outputs["context"] = PointerValue<Context>(handles, members.context);
    outputs["fd"] = members.fd;
  });
  return Result(call, outputs);
}

Answer CqMembers(Handles& handles, Params& params, const Reply&) {
  const auto cq = handles.Get<Cq>(params.String("cq"));
  params.End();
  const ibv_cq& members = *cq->pointer;
  Json outputs = Json::object();
  const auto call = Measure([&] {
    const auto cq_context = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(members.cq_context));
    outputs["context"] = PointerValue<Context>(handles, members.context);
    outputs["channel"] = PointerValue<CompChannel>(handles, members.channel);
    outputs["cqContext"] = WordText(cq_context);
    outputs["cqe"] = members.cqe;
  });
  return Result(call, outputs);
}

}  // namespace

std::vector<Verb> MemberVerbs() {
  return {{"struct ibv_comp_channel", CompChannelMembers}, {"struct ibv_cq", CqMembers}};
}
