// Texts that libibverbs has for members of enumerations.
#include "result.h"
#include "text.h"
#include "verbs.h"

namespace {

template <class T>
Napi::Value TextOf(Napi::Env env, const char* (*text_of)(T), T member) {
  const auto call = Measure([&] { return text_of(member); });
  if (call.returned == nullptr) return NullResult(env, call);
  const auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(call.returned));
  Napi::Object outputs = Napi::Object::New(env);
  outputs.Set("address", WordText(address));
  return Result(env, call, call.returned, outputs);
}

// ibv_event_type_str(3)
Napi::Value EventTypeStr(Napi::Env env, Handles&, Params& params) {
  const auto event_type = static_cast<ibv_event_type>(params.Enum("eventType", kEventType));
  params.End();
  return TextOf(env, ibv_event_type_str, event_type);
}

// ibv_node_type_str(3)
Napi::Value NodeTypeStr(Napi::Env env, Handles&, Params& params) {
  const auto node_type = static_cast<ibv_node_type>(params.Enum("nodeType", kNodeType));
  params.End();
  return TextOf(env, ibv_node_type_str, node_type);
}

// ibv_port_state_str(3)
Napi::Value PortStateStr(Napi::Env env, Handles&, Params& params) {
  const auto port_state = static_cast<ibv_port_state>(params.Enum("portState", kPortState));
  params.End();
  return TextOf(env, ibv_port_state_str, port_state);
}

}  // namespace

std::vector<Verb> ConstantTextVerbs() {
  return {
      {"ibv_event_type_str", EventTypeStr},
      {"ibv_node_type_str", NodeTypeStr},
      {"ibv_port_state_str", PortStateStr},
  };
}
