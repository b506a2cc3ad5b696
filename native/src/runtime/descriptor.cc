// The file descriptors of completion channels and of contexts, as the man pages use them: poll(2) and fcntl(2).
#include <fcntl.h>
#include <poll.h>

#include "server/blocking.h"
#include "runtime/refusal.h"
#include "runtime/result.h"
#include "runtime/verbs.h"

namespace {

int DescriptorOf(const Object& source) {
  if (const auto* channel = dynamic_cast<const CompChannel*>(&source)) return channel->pointer->fd;
  if (const auto* context = dynamic_cast<const Context*>(&source)) return context->pointer->async_fd;
  throw BadHandle(source.handle + " has no file descriptor");
}

// poll(2) of one descriptor for POLLIN
Answer Poll(Handles& handles, Params& params, const Reply& reply) {
  const auto source = handles.GetAny(params.String("source"));
  const auto timeout_ms = params.Integer<int>("timeoutMs");
  params.End();
  const auto watched = std::make_shared<pollfd>();
  watched->fd = DescriptorOf(*source);
  watched->events = POLLIN;
  const auto inside = std::make_shared<CallInside>(source);
  const auto finish = [watched, inside](const Measured<int>& call) {
    Json outputs = Json::object();
    outputs["revents"] = kPollEvents.NamesOf(static_cast<unsigned short>(watched->revents));
    return Result(call, Refuses::kWithNegative, outputs);
  };
  const auto call = [watched, timeout_ms] { return poll(watched.get(), 1, timeout_ms); };
  if (timeout_ms == 0) return finish(Measure(call));
  return RunBlocking(reply, call, finish);
}

// fcntl(2) with F_GETFL or F_SETFL
Answer Fcntl(Handles& handles, Params& params, const Reply&) {
  const int fd = DescriptorOf(*handles.GetAny(params.String("source")));
  const std::string command = params.String("cmd");
  Json outputs = Json::object();
  if (command == "F_GETFL") {
    params.End();
    const auto call = Measure([&] { return fcntl(fd, F_GETFL); });
    const auto flags = call.returned < 0 ? 0 : static_cast<unsigned int>(call.returned);
    outputs["flags"] = kOpenFlags.NamesOf(flags);
    return Result(call, Refuses::kWithNegative, outputs);
  }
  if (command != "F_SETFL") throw BadParams("parameter cmd must be F_GETFL or F_SETFL");
  const auto flags = static_cast<int>(params.Flags("flags", kOpenFlags));
  params.End();
  return Result(Measure([&] { return fcntl(fd, F_SETFL, flags); }), Refuses::kWithNegative, outputs);
}

}  // namespace

std::vector<Verb> DescriptorVerbs() { return {{"poll", Poll}, {"fcntl", Fcntl}}; }
