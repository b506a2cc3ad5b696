// Texts that libibverbs has for members of enumerations.
#include "runtime/result.h"
#include "runtime/text.h"
#include "runtime/verbs.h"

namespace {

template <class T>
Json TextOf(const char* (*text_of)(T), T member) {
  const auto call = Measure([&] { return text_of(member); });
  if (call.returned == nullptr) return NullResult(call);
  const auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(call.returned));
  Json outputs = Json::object();
  outputs["address"] = WordText(address);
  return Result(call, call.returned, outputs);
}

// ibv_event_type_str(3)
Answer EventTypeStr(Handles&, Params& params, const Reply&) {
  const auto event_type = static_cast<ibv_event_type>(params.Enum("eventType", kEventType));
  params.End();
  return TextOf(ibv_event_type_str, event_type);
}

// ibv_node_type_str(3)
Answer NodeTypeStr(Handles&, Params& params, const Reply&) {
  const auto node_type = static_cast<ibv_node_type>(params.Enum("nodeType", kNodeType));
  params.End();
  return TextOf(ibv_node_type_str, node_type);
}

// ibv_port_state_str(3)
Answer PortStateStr(Handles&, Params& params, const Reply&) {
  const auto port_state = static_cast<ibv_port_state>(params.Enum("portState", kPortState));
  params.End();
  return TextOf(ibv_port_state_str, port_state);
}

}  // namespace

std::vector<Verb> ConstantTextVerbs() {
  return {
      {"ibv_event_type_str", EventTypeStr},
      {"ibv_node_type_str", NodeTypeStr},
      {"ibv_port_state_str", PortStateStr},
  };
}
