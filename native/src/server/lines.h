// Text that travels line by line.
#pragma once

#include <uv.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

// Writes a line, whose newline it adds, however long that takes, also where another owner of the stream made it
// non-blocking. Throws std::system_error.
void WriteLine(int fd, std::string line);

// Cuts what a descriptor gives into lines, without the empty ones. The event loop watches it, so that no other thread
// has to wake up for a line.
class LineReader {
 public:
  struct Handlers {
    std::function<void(const std::string& line)> line;
    // The input has ended, or a line is too long and nothing more is read.
    std::function<void(bool is_too_long)> end;
  };

  // Throws std::runtime_error if nothing can wait for the descriptor. Must live for as long as the loop.
  LineReader(uv_loop_t* loop, int fd, size_t max_bytes, Handlers handlers);
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

 private:
  void Read();
  void Take(std::string_view chunk);
  void FinishLine();
  void End(bool is_too_long);

  const int fd_;
  const size_t max_bytes_;
  const Handlers handlers_;
  uv_poll_t watch_{};
  std::string line_;
};

// Ends the process with `exit_code` within `grace` and a second of the end of a pipe or socket, for when a verb blocks
// the main thread for ever. A host at a virtio port is ended by the VM.
void ExitAfterEndOf(int fd, std::chrono::milliseconds grace, int exit_code);
