// Verbs that may block run on a thread of their own. A worker of libuv's pool would not do: a few blocked ones starve
// the file system of the process, and one is enough to make its exit wait for ever.
#pragma once

#include <napi.h>

#include <functional>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

#include "handles.h"
#include "result.h"

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

template <class Returned>
struct BlockingCall {
  Napi::Promise::Deferred deferred;
  std::function<Returned()> call;
  std::function<Napi::Value(Napi::Env, const Measured<Returned>&)> finish;
  std::optional<Measured<Returned>> measured;

  static void Settle(Napi::Env env, Napi::Function, BlockingCall* raw) {
    const std::unique_ptr<BlockingCall> self{raw};
    const Napi::HandleScope scope{env};
    try {
      self->deferred.Resolve(self->finish(env, *self->measured));
    } catch (const std::exception& error) {
      self->deferred.Reject(Napi::Error::New(env, error.what()).Value());
    }
  }
};

// Runs `call` on a thread of its own; the promise gets what `finish` makes of it on the main thread.
template <class Call, class Finish>
Napi::Value RunBlocking(Napi::Env env, Call call, Finish finish) {
  using Returned = std::invoke_result_t<Call>;
  auto pending = std::unique_ptr<BlockingCall<Returned>>(
      new BlockingCall<Returned>{Napi::Promise::Deferred::New(env), std::move(call), std::move(finish), std::nullopt});
  const Napi::Promise promise = pending->deferred.Promise();
  const auto noop = Napi::Function::New(env, [](const Napi::CallbackInfo&) {});
  auto completion = Napi::ThreadSafeFunction::New(env, noop, "verb", /*maxQueueSize=*/0, /*initialThreadCount=*/1);
  try {
    std::thread([completion, raw = pending.get()]() mutable {
      raw->measured = Measure(raw->call);
      completion.BlockingCall(raw, &BlockingCall<Returned>::Settle);
      completion.Release();
    }).detach();
  } catch (const std::system_error& error) {
    completion.Release();
    throw Napi::Error::New(env, std::string("no thread for a verb that may block: ") + error.what());
  }
  pending.release();  // Settle owns it now
  return promise;
}
