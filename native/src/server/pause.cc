#include "server/pause.h"

#include <utility>

#include "runtime/result.h"

Pause::Pause(uv_loop_t* loop) {
  uv_timer_init(loop, &timer_);
  timer_.data = this;
}

void Pause::Begin(uint64_t milliseconds, Reply reply) {
  End();
  reply_ = std::move(reply);
  uv_update_time(timer_.loop);
  // The loop counts in whole milliseconds, and has just cut one.
  uv_timer_start(&timer_, [](uv_timer_t* timer) { static_cast<Pause*>(timer->data)->End(); }, milliseconds + 1, 0);
}

void Pause::End() {
  uv_timer_stop(&timer_);
  // What the reply leads to may come back here.
  const Reply reply = std::exchange(reply_, Reply{});
  if (reply) reply([] { return Json{{"nowUs", static_cast<double>(MonotonicNs()) / 1000}}; });
}
