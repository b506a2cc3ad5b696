// Members of structs that a program reads without a call. Pointers travel as the handles of what they point to.
#include "runtime/arguments.h"
#include "runtime/result.h"

namespace {

// The handle of what is at the address, null for a null pointer.
template <class T>
Json PointerValue(const Handles& handles, const void* address) {
  if (address == nullptr) return nullptr;
  const auto object = handles.FindByAddress<T>(address);
  return object ? object->handle : UnknownObject(T::kKind, address);
}

Answer CompChannelMembers(const Call& call, std::shared_ptr<CompChannel> channel) {
  const ibv_comp_channel& members = *channel->pointer;
  Json outputs = Json::object();
  const auto read = MeasureInTurn([&] {
    outputs["context"] = PointerValue<Context>(call.handles, members.context);
    outputs["fd"] = members.fd;
  });
  return Result(read, std::move(outputs));
}

Answer CqMembers(const Call& call, std::shared_ptr<Cq> cq) {
  const ibv_cq& members = *cq->pointer;
  Json outputs = Json::object();
  const auto read = MeasureInTurn([&] {
    const auto cq_context = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(members.cq_context));
    outputs["context"] = PointerValue<Context>(call.handles, members.context);
    outputs["channel"] = PointerValue<CompChannel>(call.handles, members.channel);
    outputs["cqContext"] = WordText(cq_context);
    outputs["cqe"] = members.cqe;
  });
  return Result(read, std::move(outputs));
}

}  // namespace

std::vector<Verb> MemberVerbs() {
  const auto or_null = [](const std::string& type) { return type + " or null"; };
  return {
      Describe("struct ibv_comp_channel", CompChannelMembers, Living<CompChannel>("channel"))
          .Filling({{"context", or_null(ObjectType<Context>())}, {"fd", "i32"}}),
      Describe("struct ibv_cq", CqMembers, Living<Cq>("cq"))
          .Filling({{"context", or_null(ObjectType<Context>())},
                    {"channel", or_null(ObjectType<CompChannel>())},
                    {"cqContext", "u64"},
                    {"cqe", "i32"}}),
  };
}
