#include "server/lines.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

namespace {

// Until a virtio port that takes no more is tried again.
constexpr std::chrono::microseconds kPortIsFullFor{50};

// How often the end of the input is looked for.
constexpr std::chrono::seconds kLookEvery{1};

bool IsCharacterDevice(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 && S_ISCHR(status.st_mode);
}

// A virtio port must not be asked by poll() beside the event loop: who asks takes what has come in from the queue, and
// the interrupt that then finds the queue empty wakes nobody.
void WaitUntilWritable(int fd) {
  if (IsCharacterDevice(fd)) {
    std::this_thread::sleep_for(kPortIsFullFor);
    return;
  }
  pollfd watched{fd, POLLOUT, 0};
  poll(&watched, 1, -1);
}

bool HasEnded(int fd) {
  pollfd watched{fd, POLLRDHUP, 0};
  return poll(&watched, 1, 0) > 0 && (watched.revents & (POLLHUP | POLLRDHUP | POLLERR)) != 0;
}

}  // namespace

void WriteLine(int fd, std::string line) {
  line += '\n';
  size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = write(fd, line.data() + written, line.size() - written);
    if (count >= 0) {
      written += static_cast<size_t>(count);
    } else if (errno == EAGAIN) {
      WaitUntilWritable(fd);
    } else if (errno != EINTR) {
      throw std::system_error(errno, std::generic_category(), "write");
    }
  }
}

LineReader::LineReader(uv_loop_t* loop, int fd, size_t max_bytes, Handlers handlers)
    : fd_(fd), max_bytes_(max_bytes), handlers_(std::move(handlers)) {
  int error = uv_poll_init(loop, &watch_, fd);
  watch_.data = this;
  const auto readable = [](uv_poll_t* watch, int, int) { static_cast<LineReader*>(watch->data)->Read(); };
  if (error == 0) error = uv_poll_start(&watch_, UV_READABLE | UV_DISCONNECT, readable);
  if (error != 0) throw std::runtime_error(std::string("cannot wait for input: ") + uv_strerror(error));
}

void LineReader::Read() {
  char buffer[65536];
  const ssize_t count = read(fd_, buffer, sizeof buffer);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return End(false);
  Take({buffer, static_cast<size_t>(count)});
}

void LineReader::Take(std::string_view chunk) {
  while (!chunk.empty()) {
    const size_t length = std::min(chunk.find('\n'), chunk.size());
    if (line_.size() + length > max_bytes_) return End(true);
    line_ += chunk.substr(0, length);
    if (length < chunk.size()) FinishLine();
    chunk.remove_prefix(std::min(length + 1, chunk.size()));
  }
}

void LineReader::FinishLine() {
  if (!line_.empty()) handlers_.line(line_);
  line_.clear();
}

void LineReader::End(bool is_too_long) {
  uv_poll_stop(&watch_);
  handlers_.end(is_too_long);
}

void ExitAfterEndOf(int fd, std::chrono::milliseconds grace, int exit_code) {
  if (IsCharacterDevice(fd)) return;
  std::thread([=] {
    while (!HasEnded(fd)) std::this_thread::sleep_for(kLookEvery);
    std::this_thread::sleep_for(grace);
    _exit(exit_code);
  }).detach();
}
