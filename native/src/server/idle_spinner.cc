#include "server/idle_spinner.h"

#include <pthread.h>
#include <sched.h>

#include <cmath>
#include <thread>

namespace {

// An instruction counts as one whatever it costs, so the clock hardly moves during those that are slow to emulate.
void SpinSlowly() {
  constexpr int kTurns = 10;
  volatile long double angle = 0.7L;
  for (int turn = 0; turn < kTurns; ++turn) angle = std::atan2(angle, 1.0L);
}

}  // namespace

IdleSpinner::IdleSpinner(uv_loop_t* loop) {
  uv_prepare_init(loop, &before_wait_);
  uv_check_init(loop, &after_wait_);
  before_wait_.data = after_wait_.data = this;
  uv_prepare_start(&before_wait_, [](uv_prepare_t* handle) { static_cast<IdleSpinner*>(handle->data)->Start(); });
  uv_check_start(&after_wait_, [](uv_check_t* handle) { static_cast<IdleSpinner*>(handle->data)->Stop(); });
  uv_unref(reinterpret_cast<uv_handle_t*>(&before_wait_));
  uv_unref(reinterpret_cast<uv_handle_t*>(&after_wait_));
  std::thread(&IdleSpinner::Work, this).detach();
}

void IdleSpinner::Start() {
  if (may_jump_) return;
  is_wanted_ = true;
  // It seldom sleeps: most requests are answered before it notices that it was stopped.
  if (!is_asleep_) return;
  const std::lock_guard<std::mutex> lock{mutex_};
  wanted_.notify_one();
}

void IdleSpinner::Work() {
  pthread_setname_np(pthread_self(), "spinner");
  // Whatever else can run takes the processor from it at once.
  const sched_param no_priority{};
  pthread_setschedparam(pthread_self(), SCHED_IDLE, &no_priority);
  for (;;) {
    while (is_wanted_) SpinSlowly();
    std::unique_lock<std::mutex> lock{mutex_};
    is_asleep_ = true;
    wanted_.wait(lock, [this] { return is_wanted_.load(); });
    is_asleep_ = false;
  }
}
