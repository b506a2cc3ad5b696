#include "server/process.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

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

// exit(code). At once: an ordinary exit would run destructors under the feet of verbs that are still blocked.
void Exit(const Napi::CallbackInfo& info) { _exit(info[0].As<Napi::Number>().Int32Value()); }

// libraryPath() => path of the libibverbs that is really loaded.
Napi::Value LibraryPath(const Napi::CallbackInfo& info) {
  Dl_info found{};
  if (!dladdr(reinterpret_cast<void*>(&ibv_open_device), &found) || !found.dli_fname) return info.Env().Null();
  return Napi::String::New(info.Env(), found.dli_fname);
}

}  // namespace

void ExportProcessFunctions(Napi::Env env, Napi::Object exports) {
  exports.Set("claimStdout", Napi::Function::New<ClaimStdout>(env, "claimStdout"));
  exports.Set("exit", Napi::Function::New<Exit>(env, "exit"));
  exports.Set("libraryPath", Napi::Function::New<LibraryPath>(env, "libraryPath"));
}
