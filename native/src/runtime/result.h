// One call of a C function, measured, and the raw result that travels.
#pragma once

#include <cerrno>
#include <cstdint>
#include <ctime>
#include <string>
#include <type_traits>

#include "runtime/turn.h"
#include "server/json.h"

struct Void {};  // what a call of a void function returned

template <class T>
struct Measured {
  T returned;
  int error;  // errno
  int64_t started_at_ns;
  int64_t duration_ns;
};

inline int64_t MonotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Calls `call`, which touches what belongs to all threads. errno belongs to the thread, so it is read on the spot, before
// anything else may change it.
template <class Call>
auto MeasureInTurn(const Call& call) {
  using Returned = std::invoke_result_t<Call>;
  const int64_t started_at_ns = MonotonicNs();
  errno = 0;
  if constexpr (std::is_void_v<Returned>) {
    call();
    const int error = errno;
    return Measured<Void>{{}, error, started_at_ns, MonotonicNs() - started_at_ns};
  } else {
    const Returned returned = call();
    const int error = errno;
    return Measured<Returned>{returned, error, started_at_ns, MonotonicNs() - started_at_ns};
  }
}

// Calls a C function. Meanwhile other threads have their turns.
template <class Call>
auto Measure(const Call& call) {
  const OutOfTurn out_of_turn;
  return MeasureInTurn(call);
}

// A raw result as drivers/pipeline/backend.ts describes it.
Json MakeResult(Json returned, int error, int64_t started_at_ns, int64_t duration_ns, Json outputs);

// How a C function says that it refused; errno means something after a refusal only.
enum class Refuses { kNever, kWithNonzero, kWithNegative };

// The raw result of a function that returns int.
Json Result(const Measured<int>& call, Refuses refuses);
Json Result(const Measured<int>& call, Refuses refuses, Json outputs);

// The raw result of a function that returns nothing.
Json Result(const Measured<Void>& call);
Json Result(const Measured<Void>& call, Json outputs);

// The raw result of a function that returned a pointer, which travels as `handle`, or as the text that it points to.
template <class T>
Json Result(const Measured<T*>& call, const std::string& handle, Json outputs) {
  return MakeResult(handle, 0, call.started_at_ns, call.duration_ns, std::move(outputs));
}

// The raw result of a function that returned NULL.
template <class T>
Json NullResult(const Measured<T*>& call) {
  return MakeResult(nullptr, call.error, call.started_at_ns, call.duration_ns, Json::object());
}
