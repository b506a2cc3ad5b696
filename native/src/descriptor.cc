// The file descriptors of completion channels and of contexts, as the man pages use them: poll(2) and fcntl(2).
#include <fcntl.h>
#include <poll.h>

#include "blocking.h"
#include "refusal.h"
#include "result.h"
#include "verbs.h"

namespace {

int DescriptorOf(const Object& source) {
  if (const auto* channel = dynamic_cast<const CompChannel*>(&source)) return channel->pointer->fd;
  if (const auto* context = dynamic_cast<const Context*>(&source)) return context->pointer->async_fd;
  throw BadHandle(source.handle + " has no file descriptor");
}

// poll(2) of one descriptor for POLLIN
Napi::Value Poll(Napi::Env env, Handles& handles, Params& params) {
  const auto source = handles.GetAny(params.String("source"));
  const auto timeout_ms = params.Integer<int>("timeoutMs");
  params.End();
  const auto watched = std::make_shared<pollfd>();
  watched->fd = DescriptorOf(*source);
  watched->events = POLLIN;
  const auto inside = std::make_shared<CallInside>(source);
  const auto finish = [watched, inside](Napi::Env env, const Measured<int>& call) -> Napi::Value {
    Napi::Object outputs = Napi::Object::New(env);
    outputs.Set("revents", Strings(env, kPollEvents.NamesOf(static_cast<unsigned short>(watched->revents))));
    return Result(env, call, Refuses::kWithNegative, outputs);
  };
  const auto call = [watched, timeout_ms] { return poll(watched.get(), 1, timeout_ms); };
  return timeout_ms == 0 ? finish(env, Measure(call)) : RunBlocking(env, call, finish);
}

// fcntl(2) with F_GETFL or F_SETFL
Napi::Value Fcntl(Napi::Env env, Handles& handles, Params& params) {
  const int fd = DescriptorOf(*handles.GetAny(params.String("source")));
  const std::string command = params.String("cmd");
  Napi::Object outputs = Napi::Object::New(env);
  if (command == "F_GETFL") {
    params.End();
    const auto call = Measure([&] { return fcntl(fd, F_GETFL); });
    const auto flags = call.returned < 0 ? 0 : static_cast<unsigned int>(call.returned);
    outputs.Set("flags", Strings(env, kOpenFlags.NamesOf(flags)));
    return Result(env, call, Refuses::kWithNegative, outputs);
  }
  if (command != "F_SETFL") throw BadParams("parameter cmd must be F_GETFL or F_SETFL");
  const auto flags = static_cast<int>(params.Flags("flags", kOpenFlags));
  params.End();
  return Result(env, Measure([&] { return fcntl(fd, F_SETFL, flags); }), Refuses::kWithNegative, outputs);
}

}  // namespace

std::vector<Verb> DescriptorVerbs() { return {{"poll", Poll}, {"fcntl", Fcntl}}; }
