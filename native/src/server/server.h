// Answers the requests of one session with the verbs, as drivers/native/protocol.ts says. It has no opinion on what a
// verb answers. All of it is C++: between two requests a processor's caches forget what a request runs through, and
// JavaScript runs through much more.
#pragma once

#include <uv.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "program/programs.h"
#include "server/idle_spinner.h"
#include "server/json.h"
#include "server/lines.h"
#include "server/pause.h"
#include "runtime/verbs.h"

class Server {
 public:
  struct Options {
    int input;
    int output;
    int64_t session;
    size_t max_line_bytes;
    size_t max_levels;  // of a message
    // From the end of the input until the process ends, for a main thread that a verb blocks.
    std::chrono::milliseconds grace;
    int exit_code_if_failed;
    // Whether this machine's clock jumps ahead when its processor is idle.
    bool virtual_time;
  };
  using OnHello = std::function<void(const std::string& line)>;

  // Serves until the input ends, and ends the process then. A line with `hello` is handed on, unanswered.
  Server(uv_loop_t* loop, const Options& options, OnHello on_hello);

  // Which device ibv_open_device(3) opens from now on; none before that is set.
  void SetDevice(std::optional<std::string> device) { device_ = std::move(device); }

 private:
  void Receive(const std::string& line);
  void Answer(const Json& id, const std::function<Json()>& make);
  void SendError(const Json& id, int code, const std::string& message);
  void Write(const Json& message);
  void BeginPause(const Json& params, const Reply& reply);
  void LetClockJump(bool may_jump);
  Json RunPrograms(const Json& params);
  std::optional<Json> Call(const std::string& method, const Json& params, const Reply& later);
  void RequireChosenDevice(const Json& params) const;
  Json AllLeftovers() const;
  [[noreturn]] void End(bool is_too_long);

  const Options options_;
  const OnHello on_hello_;
  std::map<std::string, VerbFunction> verbs_;
  Handles handles_;
  Programs programs_;
  bool is_greeted_ = false;
  std::optional<std::string> device_;
  std::optional<IdleSpinner> spinner_;  // where the clock is virtual
  Pause pause_;
  LineReader reader_;
};
