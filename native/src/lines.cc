#include "lines.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <thread>

namespace {

// Until a virtio port that takes no more is tried again.
constexpr std::chrono::microseconds kPortIsFullFor{50};

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

// writeLine(descriptor, text). Writes all of it, also where another owner of the stream made it non-blocking.
void WriteLine(const Napi::CallbackInfo& info) {
  const int fd = info[0].As<Napi::Number>().Int32Value();
  const std::string line = info[1].As<Napi::String>().Utf8Value() + '\n';
  size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = write(fd, line.data() + written, line.size() - written);
    if (count >= 0) {
      written += static_cast<size_t>(count);
    } else if (errno == EAGAIN) {
      WaitUntilWritable(fd);
    } else if (errno != EINTR) {
      throw Napi::Error::New(info.Env(), std::string("write: ") + std::strerror(errno));
    }
  }
}

// How often the end of the input is looked for, in case a verb blocks the main thread.
constexpr int kLookEveryMs = 1000;

// Cuts what a descriptor gives into lines. The event loop watches it, so that no other thread has to wake up for a line.
class LineReader {
 public:
  LineReader(const Napi::Env env, int fd, size_t max_bytes, const Napi::Function& callback)
      : env_(env), context_(env, "lines"), fd_(fd), max_bytes_(max_bytes), callback_(Napi::Persistent(callback)) {
    uv_loop_t* loop = nullptr;
    napi_get_uv_event_loop(env, &loop);
    int error = uv_poll_init(loop, &watch_, fd);
    watch_.data = this;
    if (error == 0) error = uv_poll_start(&watch_, UV_READABLE | UV_DISCONNECT, Readable);
    if (error != 0) throw Napi::Error::New(env, std::string("cannot wait for input: ") + uv_strerror(error));
  }

 private:
  static void Readable(uv_poll_t* watch, int, int) { static_cast<LineReader*>(watch->data)->Read(); }

  void Read() {
    char buffer[65536];
    const ssize_t count = read(fd_, buffer, sizeof buffer);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    Napi::HandleScope scope(env_);
    if (count <= 0) return End(false);
    Take({buffer, static_cast<size_t>(count)});
  }

  void Take(std::string_view chunk) {
    while (!chunk.empty()) {
      const size_t length = std::min(chunk.find('\n'), chunk.size());
      if (line_.size() + length > max_bytes_) return End(true);
      line_ += chunk.substr(0, length);
      if (length < chunk.size()) FinishLine();
      chunk.remove_prefix(std::min(length + 1, chunk.size()));
    }
  }

  void FinishLine() {
    if (!line_.empty()) Call({Napi::String::New(env_, line_)});
    line_.clear();
  }

  void End(bool is_too_long) {
    uv_poll_stop(&watch_);
    Call({env_.Null(), Napi::Boolean::New(env_, is_too_long)});
  }

  // What it throws is an uncaught exception, as from any other callback.
  void Call(const std::initializer_list<napi_value>& arguments) {
    try {
      callback_.MakeCallback(env_.Global(), arguments, context_);
    } catch (const Napi::Error& error) {
      napi_fatal_exception(env_, error.Value());
    }
  }

  const Napi::Env env_;
  const Napi::AsyncContext context_;
  const int fd_;
  const size_t max_bytes_;
  const Napi::FunctionReference callback_;
  uv_poll_t watch_{};
  std::string line_;
};

bool HasEnded(int fd) {
  pollfd watched{fd, POLLRDHUP, 0};
  return poll(&watched, 1, 0) > 0 && (watched.revents & (POLLHUP | POLLRDHUP | POLLERR)) != 0;
}

// readLines(descriptor, maxBytes, graceMs, code, callback). The end of a pipe or socket is noticed even if a verb blocks
// the main thread for ever: within `graceMs` and a second the process is ended. A host at a virtio port is ended by the VM.
void ReadLines(const Napi::CallbackInfo& info) {
  const int fd = info[0].As<Napi::Number>().Int32Value();
  const auto max_bytes = static_cast<size_t>(info[1].As<Napi::Number>().Int64Value());
  const int grace_ms = info[2].As<Napi::Number>().Int32Value();
  const int code = info[3].As<Napi::Number>().Int32Value();
  // Never freed: it reads for as long as the process lives.
  new LineReader(info.Env(), fd, max_bytes, info[4].As<Napi::Function>());
  if (IsCharacterDevice(fd)) return;
  std::thread([=] {
    while (!HasEnded(fd)) poll(nullptr, 0, kLookEveryMs);
    poll(nullptr, 0, grace_ms);
    _exit(code);
  }).detach();
}

}  // namespace

void ExportLineFunctions(Napi::Env env, Napi::Object exports) {
  exports.Set("readLines", Napi::Function::New<ReadLines>(env, "readLines"));
  exports.Set("writeLine", Napi::Function::New<WriteLine>(env, "writeLine"));
}
