#include "process.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace {

Napi::Error SystemError(Napi::Env env, const char* what) {
  return Napi::Error::New(env, std::string(what) + ": " + std::strerror(errno));
}

// claimStdout() => descriptor. Keeps the old stdout for the caller alone; whatever prints to it later goes to stderr.
Napi::Value ClaimStdout(const Napi::CallbackInfo& info) {
  const int claimed = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (claimed < 0) throw SystemError(info.Env(), "dup of stdout");
  if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) throw SystemError(info.Env(), "dup2 of stderr");
  return Napi::Number::New(info.Env(), claimed);
}

void WaitUntil(int fd, short events) {
  pollfd watched{fd, events, 0};
  poll(&watched, 1, -1);
}

// write(descriptor, buffer). Writes all of it, also where another owner of the stream made it non-blocking.
void Write(const Napi::CallbackInfo& info) {
  const int fd = info[0].As<Napi::Number>().Int32Value();
  const auto buffer = info[1].As<Napi::Buffer<char>>();
  size_t written = 0;
  while (written < buffer.Length()) {
    const ssize_t count = write(fd, buffer.Data() + written, buffer.Length() - written);
    if (count >= 0) {
      written += static_cast<size_t>(count);
    } else if (errno == EAGAIN) {
      WaitUntil(fd, POLLOUT);
    } else if (errno != EINTR) {
      throw SystemError(info.Env(), "write");
    }
  }
}

// exit(code). At once: an ordinary exit would run destructors under the feet of verbs that are still blocked.
void Exit(const Napi::CallbackInfo& info) { _exit(info[0].As<Napi::Number>().Int32Value()); }

using Chunk = std::vector<char>;

// Hands a chunk to the callback; an empty one, which is null there, stands for the end.
void Deliver(Napi::Env env, Napi::Function callback, Chunk* raw) {
  const std::unique_ptr<Chunk> chunk{raw};
  const Napi::Value value =
      chunk->empty() ? env.Null() : Napi::Buffer<char>::Copy(env, chunk->data(), chunk->size()).As<Napi::Value>();
  callback.Call({value});
}

// readInput(descriptor, graceMs, code, callback). A thread of its own reads, which costs one switch of threads less
// than a stream of Node. And it notices the end of input even if a verb blocks the main thread for ever: `graceMs`
// after the callback was to hear of the end, the process is ended.
void ReadInput(const Napi::CallbackInfo& info) {
  const int fd = info[0].As<Napi::Number>().Int32Value();
  const int grace_ms = info[1].As<Napi::Number>().Int32Value();
  const int code = info[2].As<Napi::Number>().Int32Value();
  auto delivery = Napi::ThreadSafeFunction::New(info.Env(), info[3].As<Napi::Function>(), "input", 0, 1);
  std::thread([fd, grace_ms, code, delivery]() mutable {
    char buffer[65536];
    for (;;) {
      const ssize_t count = read(fd, buffer, sizeof buffer);
      if (count > 0) {
        delivery.BlockingCall(new Chunk(buffer, buffer + count), Deliver);
      } else if (count < 0 && errno == EAGAIN) {
        WaitUntil(fd, POLLIN);
      } else if (count == 0 || errno != EINTR) {
        break;
      }
    }
    delivery.BlockingCall(new Chunk(), Deliver);
    poll(nullptr, 0, grace_ms);
    _exit(code);
  }).detach();
}

// libraryPath() => path of the libibverbs that is really loaded.
Napi::Value LibraryPath(const Napi::CallbackInfo& info) {
  Dl_info found{};
  if (!dladdr(reinterpret_cast<void*>(&ibv_open_device), &found) || !found.dli_fname) return info.Env().Null();
  return Napi::String::New(info.Env(), found.dli_fname);
}

}  // namespace

void ExportProcessFunctions(Napi::Env env, Napi::Object exports) {
  exports.Set("claimStdout", Napi::Function::New<ClaimStdout>(env, "claimStdout"));
  exports.Set("write", Napi::Function::New<Write>(env, "write"));
  exports.Set("exit", Napi::Function::New<Exit>(env, "exit"));
  exports.Set("readInput", Napi::Function::New<ReadInput>(env, "readInput"));
  exports.Set("libraryPath", Napi::Function::New<LibraryPath>(env, "libraryPath"));
}
