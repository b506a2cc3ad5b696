// A pause that the client asks for: it lasts as the clock of this machine has it.
#pragma once

#include <uv.h>

#include <functional>

#include "server/json.h"
#include "runtime/verbs.h"

// At most one at a time, since a request ends the pause before it, and so does an answer to another request.
class Pause {
 public:
  // Must live for as long as the loop.
  explicit Pause(uv_loop_t* loop);
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;

  // Replies after `milliseconds`, or when it is ended, with the time of the clock then.
  void Begin(uint64_t milliseconds, Reply reply);
  void End();

 private:
  uv_timer_t timer_{};
  Reply reply_;
};
