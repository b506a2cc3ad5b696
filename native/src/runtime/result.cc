#include "runtime/result.h"

Json MakeResult(Json returned, int error, int64_t started_at_ns, int64_t duration_ns, Json outputs) {
  // Not by a list of members, whose values would be copied.
  Json result = Json::object();
  result["returned"] = std::move(returned);
  result["errno"] = error;
  result["outputs"] = std::move(outputs);
  result["startedAt"] = static_cast<double>(started_at_ns) / 1000;
  result["durationUs"] = static_cast<double>(duration_ns) / 1000;
  return result;
}

Json Result(const Measured<int>& call, Refuses refuses) {
  return Result(call, refuses, Json::object());
}

Json Result(const Measured<int>& call, Refuses refuses, Json outputs) {
  const bool refused = (refuses == Refuses::kWithNonzero && call.returned != 0) ||
                       (refuses == Refuses::kWithNegative && call.returned < 0);
  return MakeResult(call.returned, refused ? call.error : 0, call.started_at_ns,
                    call.duration_ns, std::move(outputs));
}

Json Result(const Measured<Void>& call) { return Result(call, Json::object()); }

Json Result(const Measured<Void>& call, Json outputs) {
  return MakeResult(nullptr, 0, call.started_at_ns, call.duration_ns, std::move(outputs));
}
