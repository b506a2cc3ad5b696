// Verbs that may block run on threads of their own, and reply when they return.
#pragma once

#include <uv.h>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/handles.h"
#include "runtime/result.h"
#include "runtime/verbs.h"
#include "server/workers.h"

// Counts a call in on the objects that it uses, for as long as it lasts. Lives and dies on the main thread.
class CallInside {
 public:
  explicit CallInside(std::shared_ptr<Object> object) : object_(std::move(object)) { ++object_->calls_inside; }
  ~CallInside() { --object_->calls_inside; }
  CallInside(const CallInside&) = delete;
  CallInside& operator=(const CallInside&) = delete;

 private:
  const std::shared_ptr<Object> object_;
};

// The threads, and the way back to the main thread. They last as long as the process.
class Blocking {
 public:
  // `loop` is that of the main thread. To be called once, before any verb.
  static void Start(uv_loop_t* loop);
  static Blocking& Instance();

  // Runs `call` on a thread of its own and then `settle` on the main thread. Throws std::system_error.
  void Run(std::function<void()> call, std::function<void()> settle);

 private:
  explicit Blocking(uv_loop_t* loop);
  void SettleReturned();

  Workers workers_;
  uv_async_t returned_{};
  std::mutex mutex_;
  std::vector<std::function<void()>> settles_;  // of the calls that have returned
  size_t pending_ = 0;                          // calls that hold the event loop open
};

// Runs `call` on a thread of its own, unless the caller waits for it; the reply gets what `finish` makes of it on the
// main thread.
template <class Call, class Finish>
Answer RunBlocking(const Reply& reply, Call call, Finish finish) {
  if (!reply) return finish(Measure(call));
  using Returned = std::invoke_result_t<Call>;
  const auto measured = std::make_shared<std::optional<Measured<Returned>>>();
  const auto last = std::make_shared<std::optional<Finish>>(std::move(finish));
  const auto settle = [reply, measured, last] {
    reply([&] {
      // What it holds is let go before the client hears of it.
      const Finish now{*std::exchange(*last, std::nullopt)};
      return now(**measured);
    });
  };
  try {
    Blocking::Instance().Run([call = std::move(call), measured] { *measured = Measure(call); }, settle);
  } catch (const std::system_error& error) {
    throw std::runtime_error(std::string("no thread for a verb that may block: ") + error.what());
  }
  return std::nullopt;
}

// As RunBlocking, for a verb that destroys the object: nobody else can use it until the call has returned. A refused
// destruction leaves it as it was. `inside` counts the call in on what else it uses.
template <class Call>
Answer RunDestruction(Handles& handles, const std::shared_ptr<Object>& object, const Reply& reply, Call call,
                      std::vector<std::shared_ptr<CallInside>> inside = {}) {
  // Before the call: a caller that waits has the outcome, and the object its state after it, when RunBlocking returns.
  object->state = Object::State::kBeingDestroyed;
  try {
    return RunBlocking(reply, call, [&handles, object, inside = std::move(inside)](const Measured<int>& call) {
      handles.EndDestruction(*object, call.returned == 0);
      return Result(call, Refuses::kWithNonzero);
    });
  } catch (...) {
    handles.EndDestruction(*object, /*destroyed=*/false);
    throw;
  }
}
