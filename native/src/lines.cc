#include "lines.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace {

void WaitUntil(int fd, short events) {
  pollfd watched{fd, events, 0};
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
      WaitUntil(fd, POLLOUT);
    } else if (errno != EINTR) {
      throw Napi::Error::New(info.Env(), std::string("write: ") + std::strerror(errno));
    }
  }
}

// What the callback of readLines hears of.
struct Event {
  enum class Kind { kLine, kTooLong, kEnd };

  Kind kind;
  std::string line;
};

void Deliver(Napi::Env env, Napi::Function callback, Event* raw) {
  const std::unique_ptr<Event> event{raw};
  if (event->kind == Event::Kind::kLine) {
    callback.Call({Napi::String::New(env, event->line)});
  } else {
    callback.Call({env.Null(), Napi::Boolean::New(env, event->kind == Event::Kind::kTooLong)});
  }
}

// Cuts what it is given into lines and hands on those that are not empty.
class LineCutter {
 public:
  LineCutter(size_t max_bytes, Napi::ThreadSafeFunction delivery)
      : max_bytes_(max_bytes), delivery_(std::move(delivery)) {}

  // Whether more can be taken: after a line that is too long, nothing can.
  bool Add(std::string_view chunk) {
    while (!chunk.empty()) {
      const size_t length = std::min(chunk.find('\n'), chunk.size());
      if (line_.size() + length > max_bytes_) {
        Send({Event::Kind::kTooLong, ""});
        return false;
      }
      line_ += chunk.substr(0, length);
      if (length < chunk.size()) FinishLine();
      chunk.remove_prefix(std::min(length + 1, chunk.size()));
    }
    return true;
  }

  void End() { Send({Event::Kind::kEnd, ""}); }

 private:
  void FinishLine() {
    if (!line_.empty()) Send({Event::Kind::kLine, std::move(line_)});
    line_.clear();
  }

  void Send(Event event) { delivery_.BlockingCall(new Event(std::move(event)), Deliver); }

  const size_t max_bytes_;
  const Napi::ThreadSafeFunction delivery_;
  std::string line_;
};

// Reads until the input ends or `cutter` can take no more.
void ReadInto(LineCutter& cutter, int fd) {
  char buffer[65536];
  for (;;) {
    const ssize_t count = read(fd, buffer, sizeof buffer);
    if (count > 0) {
      if (!cutter.Add({buffer, static_cast<size_t>(count)})) return;
    } else if (count < 0 && errno == EAGAIN) {
      WaitUntil(fd, POLLIN);
    } else if (count == 0 || errno != EINTR) {
      return cutter.End();
    }
  }
}

// readLines(descriptor, maxBytes, graceMs, code, callback). A thread of its own reads, which costs one switch of threads
// less than a stream of Node. And it notices the end even if a verb blocks the main thread for ever: `graceMs` after the
// callback was to hear of it, the process is ended.
void ReadLines(const Napi::CallbackInfo& info) {
  const int fd = info[0].As<Napi::Number>().Int32Value();
  const auto max_bytes = static_cast<size_t>(info[1].As<Napi::Number>().Int64Value());
  const int grace_ms = info[2].As<Napi::Number>().Int32Value();
  const int code = info[3].As<Napi::Number>().Int32Value();
  auto delivery = Napi::ThreadSafeFunction::New(info.Env(), info[4].As<Napi::Function>(), "input", 0, 1);
  std::thread([=] {
    LineCutter cutter(max_bytes, delivery);
    ReadInto(cutter, fd);
    poll(nullptr, 0, grace_ms);
    _exit(code);
  }).detach();
}

}  // namespace

void ExportLineFunctions(Napi::Env env, Napi::Object exports) {
  exports.Set("readLines", Napi::Function::New<ReadLines>(env, "readLines"));
  exports.Set("writeLine", Napi::Function::New<WriteLine>(env, "writeLine"));
}
