#include "server/server.h"

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>
#include <utility>

#include "server/message.h"
#include "runtime/refusal.h"
#include "runtime/resources.h"

namespace {

// Of JSON-RPC 2.0.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kInternalError = -32603;

bool HasString(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string();
}

// Whether a message is the first one meant for this host; all before it are remains of earlier sessions.
bool IsHello(const Json& message, int64_t session) {
  if (!message.is_object() || !HasString(message, "method") || message["method"] != "hello") return false;
  const auto params = message.find("params");
  return params != message.end() && params->is_object() && params->value("session", Json()) == session;
}

bool IsRequest(const Json& message) {
  if (!message.is_object() || !HasString(message, "jsonrpc") || message["jsonrpc"] != "2.0") return false;
  if (!HasString(message, "method")) return false;
  const auto id = message.find("id");
  if (id == message.end() || !(id->is_number() || id->is_string())) return false;
  const auto params = message.find("params");
  return params == message.end() || params->is_structured() || params->is_null();
}

Json ParamsOf(Json& message) {
  const auto params = message.find("params");
  return params == message.end() || params->is_null() ? Json::object() : std::move(*params);
}

bool IsTrue(const Json& params, const char* name) {
  const auto found = params.find(name);
  return found != params.end() && *found == true;
}

// Whether the client waits for a time to elapse, and does nothing else meanwhile.
bool WaitsForTime(const std::string& method, const Json& params) {
  if (method == "pause") return true;
  const auto timeout = params.find("timeoutMs");
  return method == "poll" && timeout != params.end() && timeout->is_number_integer() && *timeout > 0;
}

}  // namespace

Server::Server(uv_loop_t* loop, const Options& options, OnHello on_hello)
    : options_(options),
      on_hello_(std::move(on_hello)),
      programs_(
          handles_,
          [this](const std::string& verb, const Json& args) { return *Call(verb, args, /*later=*/Reply{}); },
          [this](const std::string& verb) { return verbs_.count(verb) > 0; }),
      pause_(loop),
      reader_(loop, options.input, options.max_line_bytes,
              {[this](const std::string& line) { Receive(line); }, [this](bool is_too_long) { End(is_too_long); }}) {
  for (const Verb& verb : AllVerbs()) verbs_.emplace(verb.name, verb.function);
  if (options_.virtual_time) spinner_.emplace(loop);
  ExitAfterEndOf(options.input, options.grace, options.exit_code_if_failed);
}

void Server::Receive(const std::string& line) {
  Json message = MessageOf(line, options_.max_levels);
  const bool is_hello = IsHello(message, options_.session);
  if (!is_greeted_ && !is_hello) return;
  is_greeted_ = true;
  if (message.is_discarded()) return SendError(nullptr, kParseError, "the line is not JSON, or nested too deep");
  if (!IsRequest(message)) return SendError(nullptr, kInvalidRequest, "the line is not a request");
  const auto method = message["method"].get<std::string>();
  if (method == "hello") return on_hello_(line);
  const auto answer = [this, id = message["id"]](const std::function<Json()>& make) { Answer(id, make); };
  const Reply later = IsTrue(message, "inTurn") ? Reply{} : answer;
  try {
    pause_.End();
    const Json params = ParamsOf(message);
    LetClockJump(WaitsForTime(method, params));
    if (method == "pause") return BeginPause(params, answer);
    if (auto now = Call(method, params, later)) answer([&] { return std::move(*now); });
  } catch (...) {
    answer([refused = std::current_exception()]() -> Json { std::rethrow_exception(refused); });
  }
}

void Server::BeginPause(const Json& params, const Reply& reply) {
  Params named{params};
  const auto milliseconds = named.Integer<uint32_t>("ms");
  named.End();
  pause_.Begin(milliseconds, reply);
}

void Server::LetClockJump(bool may_jump) {
  if (spinner_) spinner_->LetClockJump(may_jump);
}

// Nothing else is answered meanwhile, and the clock goes on as the programs wait.
Json Server::RunPrograms(const Json& params) {
  if (spinner_) spinner_->Stop();
  return programs_.Run(params);
}

std::optional<Json> Server::Call(const std::string& method, const Json& params, const Reply& later) {
  if (method == "programs") return RunPrograms(params);
  if (method == "leftovers") return IsTrue(params, "full") ? AllLeftovers() : Json(handles_.Leftovers());
  const auto verb = verbs_.find(method);
  if (verb == verbs_.end()) throw NoSuchMethod("Method not found");
  if (method == "ibv_open_device") RequireChosenDevice(params);
  Params named{params};
  return verb->second(handles_, named, later);
}

// The client opens the device of its `hello` and no other.
void Server::RequireChosenDevice(const Json& params) const {
  if (!params.is_object() || !params.contains("device")) return;
  if (!device_) throw BadParams("no hello has chosen a device");
  if (params["device"] != *device_) throw BadParams("parameter device must be that of hello");
}

Json Server::AllLeftovers() const {
  Json resources = device_ ? ResourceCounts(*device_) : Json(nullptr);
  if (resources.is_null()) resources = Json::object();
  return {
      {"handles", handles_.Leftovers()},
      {"files", OpenRdmaFiles()},
      {"resources", std::move(resources)},
      {"tainted", KernelTaint()},
  };
}

// Answers with what `make` makes, or with why it cannot.
void Server::Answer(const Json& id, const std::function<Json()>& make) {
  try {
    Json answer{{"jsonrpc", "2.0"}, {"id", id}};
    answer["result"] = make();
    Write(answer);
  } catch (const Refusal& refusal) {
    SendError(id, refusal.Code(), refusal.what());
  } catch (const std::bad_alloc&) {
    SendError(id, kInternalError, "no memory");
  } catch (const std::exception& error) {
    SendError(id, kInternalError, error.what());
  }
}

void Server::SendError(const Json& id, int code, const std::string& message) {
  Write({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

// Without an output there is nobody to serve. What the client hears ends its wait.
void Server::Write(const Json& message) {
  LetClockJump(false);
  try {
    WriteLine(options_.output, JsonText(message));
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    _exit(options_.exit_code_if_failed);
  }
  pause_.End();
}

// At once: an ordinary exit would run destructors under the feet of verbs that are still blocked.
void Server::End(bool is_too_long) {
  if (!is_too_long) _exit(0);
  SendError(nullptr, kInvalidRequest, "a line is longer than " + std::to_string(options_.max_line_bytes) + " bytes");
  _exit(options_.exit_code_if_failed);
}
