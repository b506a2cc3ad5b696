// The file descriptors of completion channels and of contexts, as the man pages use them: poll(2) and fcntl(2).
#include <fcntl.h>
#include <poll.h>

#include "runtime/arguments.h"
#include "runtime/refusal.h"
#include "runtime/result.h"
#include "server/blocking.h"

namespace {

// What has a file descriptor: a completion channel, or a context for its asynchronous events.
struct Source {
  std::shared_ptr<Object> object;
  int fd;
};

int DescriptorOf(const Object& source) {
  if (const auto* channel = dynamic_cast<const CompChannel*>(&source)) return channel->pointer->fd;
  if (const auto* context = dynamic_cast<const Context*>(&source)) return context->pointer->async_fd;
  throw BadHandle(source.handle + " has no file descriptor");
}

Argument<Source> SourceOf(const char* name) {
  return {name, ObjectType<CompChannel>() + "|" + Context::kKind, [=](const Handles& handles, Params& params) {
            auto object = handles.GetAny(params.String(name));
            const int fd = DescriptorOf(*object);
            return Source{std::move(object), fd};
          }};
}

// poll(2) of one descriptor for POLLIN
Answer Poll(const Call& call, Source source, int timeout_ms) {
  const auto watched = std::make_shared<pollfd>();
  watched->fd = source.fd;
  watched->events = POLLIN;
  const auto inside = std::make_shared<CallInside>(source.object);
  const auto finish = [watched, inside](const Measured<int>& polled) {
    Json outputs = Json::object();
    outputs["revents"] = kPollEvents.NamesOf(static_cast<unsigned short>(watched->revents));
    return Result(polled, Refuses::kWithNegative, std::move(outputs));
  };
  const auto wait = [watched, timeout_ms] { return poll(watched.get(), 1, timeout_ms); };
  if (timeout_ms == 0) return finish(Measure(wait));
  return RunBlocking(call.reply, wait, finish);
}

Answer GetFlags(int fd) {
  const auto got = Measure([&] { return fcntl(fd, F_GETFL); });
  const auto flags = got.returned < 0 ? 0 : static_cast<unsigned int>(got.returned);
  Json outputs = Json::object();
  outputs["flags"] = kOpenFlags.NamesOf(flags);
  return Result(got, Refuses::kWithNegative, std::move(outputs));
}

// fcntl(2) with F_GETFL or F_SETFL
Answer Fcntl(const Call&, Source source, std::string command, std::optional<int> flags) {
  if (command == "F_GETFL" && !flags) return GetFlags(source.fd);
  if (command != "F_SETFL" || !flags) throw BadParams("parameter cmd must be F_GETFL, or F_SETFL with flags");
  return Result(Measure([&] { return fcntl(source.fd, F_SETFL, *flags); }), Refuses::kWithNegative);
}

Argument<std::optional<int>> FlagsIfPresent(const char* name, const Enumeration& enumeration) {
  return {name, FlagsType(enumeration), [=, &enumeration](const Handles&, Params& params) -> std::optional<int> {
            if (!params.Has(name)) return std::nullopt;
            return static_cast<int>(params.Flags(name, enumeration));
          }};
}

}  // namespace

std::vector<Verb> DescriptorVerbs() {
  return {
      Describe("poll", Poll, SourceOf("source"), Integer<int>("timeoutMs"))
          .Filling({{"revents", FlagsType(kPollEvents)}}),
      Describe("fcntl", Fcntl, SourceOf("source"), Constant("cmd", "F_GETFL|F_SETFL"),
               FlagsIfPresent("flags", kOpenFlags))
          .Filling({{"flags", FlagsType(kOpenFlags)}}),
  };
}
