// Texts that libibverbs has for members of enumerations.
#include "runtime/arguments.h"
#include "runtime/result.h"

namespace {

template <class T>
Json TextOf(const char* (*text_of)(T), T member) {
  const auto call = Measure([&] { return text_of(member); });
  if (call.returned == nullptr) return NullResult(call);
  const auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(call.returned));
  Json outputs = Json::object();
  outputs["address"] = WordText(address);
  return Result(call, call.returned, std::move(outputs));
}

// ibv_event_type_str(3)
Answer EventTypeStr(const Call&, ibv_event_type event_type) { return TextOf(ibv_event_type_str, event_type); }

// ibv_node_type_str(3)
Answer NodeTypeStr(const Call&, ibv_node_type node_type) { return TextOf(ibv_node_type_str, node_type); }

// ibv_port_state_str(3)
Answer PortStateStr(const Call&, ibv_port_state port_state) { return TextOf(ibv_port_state_str, port_state); }

}  // namespace

std::vector<Verb> ConstantTextVerbs() {
  const Json address{{"address", "u64"}};
  return {
      Describe("ibv_event_type_str", EventTypeStr, Enumerator<ibv_event_type>("eventType", kEventType)).Filling(address),
      Describe("ibv_node_type_str", NodeTypeStr, Enumerator<ibv_node_type>("nodeType", kNodeType)).Filling(address),
      Describe("ibv_port_state_str", PortStateStr, Enumerator<ibv_port_state>("portState", kPortState))
          .Filling(address),
  };
}
