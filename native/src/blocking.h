// Verbs that may block run on threads of their own, and answer with a promise.
#pragma once

#include <napi.h>

#include <functional>
#include <memory>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

#include "handles.h"
#include "result.h"
#include "workers.h"

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

// The way back to the main thread, and the threads. They last as long as the process.
class Blocking {
 public:
  static Blocking& Instance(Napi::Env env) {
    static auto* const instance = new Blocking(env);
    return *instance;
  }

  // Runs `call` on a thread of its own and then `settle` on the main thread. Throws std::system_error.
  void Run(Napi::Env env, std::function<void()> call, std::function<void(Napi::Env)> settle) {
    auto pending = std::make_unique<std::function<void(Napi::Env)>>(std::move(settle));
    workers_.Run([this, call = std::move(call), raw = pending.get()] {
      call();
      completion_.BlockingCall(raw, Settle);
    });
    pending.release();  // Settle owns it now
    if (++pending_ == 1) completion_.Ref(env);
  }

 private:
  explicit Blocking(Napi::Env env) {
    const auto noop = Napi::Function::New(env, [](const Napi::CallbackInfo&) {});
    completion_ = Napi::ThreadSafeFunction::New(env, noop, "verb", /*maxQueueSize=*/0, /*initialThreadCount=*/1);
    completion_.Unref(env);
  }

  static void Settle(Napi::Env env, Napi::Function, std::function<void(Napi::Env)>* raw) {
    const std::unique_ptr<std::function<void(Napi::Env)>> settle{raw};
    Blocking& self = Instance(env);
    if (--self.pending_ == 0) self.completion_.Unref(env);
    (*settle)(env);
  }

  Workers workers_;
  Napi::ThreadSafeFunction completion_;
  size_t pending_ = 0;  // calls that hold the event loop open
};

// Runs `call` on a thread of its own; the promise gets what `finish` makes of it on the main thread.
template <class Call, class Finish>
Napi::Value RunBlocking(Napi::Env env, Call call, Finish finish) {
  using Returned = std::invoke_result_t<Call>;
  const auto deferred = Napi::Promise::Deferred::New(env);
  const auto measured = std::make_shared<std::optional<Measured<Returned>>>();
  const auto settle = [deferred, measured, finish = std::move(finish)](Napi::Env env) {
    const Napi::HandleScope scope{env};
    try {
      deferred.Resolve(finish(env, **measured));
    } catch (const std::exception& error) {
      deferred.Reject(Napi::Error::New(env, error.what()).Value());
    }
  };
  try {
    Blocking::Instance(env).Run(env, [call = std::move(call), measured] { *measured = Measure(call); }, settle);
  } catch (const std::system_error& error) {
    throw Napi::Error::New(env, std::string("no thread for a verb that may block: ") + error.what());
  }
  return deferred.Promise();
}
