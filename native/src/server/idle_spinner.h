// Keeps the processor of a VM busy while its programs wait for the client. The clock of the VM is that of its
// instructions, and jumps to the next timer as soon as the processor is idle: device timers would run out between two
// requests, however fast the client is.
#pragma once

#include <uv.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

class IdleSpinner {
 public:
  // Spins whenever `loop` waits for something. Must live for as long as the loop. Throws std::system_error.
  explicit IdleSpinner(uv_loop_t* loop);
  IdleSpinner(const IdleSpinner&) = delete;
  IdleSpinner& operator=(const IdleSpinner&) = delete;

  // Lets the processor be idle until the loop waits again.
  void Stop() { is_wanted_ = false; }

  // Whether the clock may jump while the loop waits, since the client waits for nothing else.
  void LetClockJump(bool may_jump) { may_jump_ = may_jump; }

 private:
  [[noreturn]] void Work();
  void Start();

  uv_prepare_t before_wait_{};
  uv_check_t after_wait_{};
  bool may_jump_ = false;
  std::atomic<bool> is_wanted_{false};
  std::atomic<bool> is_asleep_{false};
  std::mutex mutex_;
  std::condition_variable wanted_;
};
