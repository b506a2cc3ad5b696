#include "result.h"

Napi::Object MakeResult(Napi::Env env, Napi::Value returned, int error, int64_t started_at_ns, int64_t duration_ns,
                        const Napi::Object& outputs) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("returned", returned);
  result.Set("errno", error);
  result.Set("outputs", outputs);
  result.Set("startedAt", static_cast<double>(started_at_ns) / 1000);
  result.Set("durationUs", static_cast<double>(duration_ns) / 1000);
  return result;
}

Napi::Object Result(Napi::Env env, const Measured<int>& call, Refuses refuses) {
  return Result(env, call, refuses, Napi::Object::New(env));
}

Napi::Object Result(Napi::Env env, const Measured<int>& call, Refuses refuses, const Napi::Object& outputs) {
  const bool refused = (refuses == Refuses::kWithNonzero && call.returned != 0) ||
                       (refuses == Refuses::kWithNegative && call.returned < 0);
  return MakeResult(env, Napi::Number::New(env, call.returned), refused ? call.error : 0, call.started_at_ns,
                    call.duration_ns, outputs);
}

Napi::Object Result(Napi::Env env, const Measured<Void>& call) { return Result(env, call, Napi::Object::New(env)); }

Napi::Object Result(Napi::Env env, const Measured<Void>& call, const Napi::Object& outputs) {
  return MakeResult(env, env.Null(), 0, call.started_at_ns, call.duration_ns, outputs);
}

Napi::Array Strings(Napi::Env env, const std::vector<std::string>& strings) {
  Napi::Array list = Napi::Array::New(env, strings.size());
  for (uint32_t index = 0; index < strings.size(); ++index) list.Set(index, strings[index]);
  return list;
}
