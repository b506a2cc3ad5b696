// Runs programs without a client, where nothing but they may come in from outside:
//
//     runner PROGRAMS OUTPUT
//
// Each line of PROGRAMS has the params of a request `programs`, as drivers/native/protocol.ts says, and each line that is
// written to OUTPUT an answer: `result`, or `error` with code and message. After a call that hangs, the lines end.
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <string>

#include "program/programs.h"
#include "runtime/refusal.h"
#include "runtime/verbs.h"
#include "server/message.h"

namespace {

constexpr int kInternalError = -32603;  // of JSON-RPC
constexpr size_t kMostLevels = 200;

enum ExitCode { kDone = 0, kUsage = 2, kFailed = 3 };

class Runner {
 public:
  Runner()
      : programs_(
            handles_, [this](const std::string& verb, const Json& args) { return Call(verb, args); },
            [this](const std::string& verb) { return verbs_.count(verb) > 0; }) {
    for (const Verb& verb : AllVerbs()) verbs_.emplace(verb.name, verb.function);
  }

  // The answer to a line.
  Json Answer(const std::string& line) {
    try {
      const Json params = MessageOf(line, kMostLevels);
      if (params.is_discarded()) throw BadParams("the line is not JSON, or nested too deep");
      return {{"result", programs_.Run(params)}};
    } catch (const Refusal& refusal) {
      return ErrorOf(refusal.Code(), refusal.what());
    } catch (const std::exception& error) {
      return ErrorOf(kInternalError, error.what());
    }
  }

 private:
  static Json ErrorOf(int code, const char* message) { return {{"error", {{"code", code}, {"message", message}}}}; }

  Json Call(const std::string& verb, const Json& args) {
    Params params{args};
    return *verbs_.at(verb)(handles_, params, Reply{});
  }

  std::map<std::string, VerbFunction> verbs_;
  Handles handles_;
  Programs programs_;
};

int Run(const char* input, const char* output) {
  std::ifstream lines{input};
  std::ofstream answers{output};
  // Never freed: a call that hangs may still use it.
  auto& runner = *new Runner;
  for (std::string line; std::getline(lines, line);) answers << JsonText(runner.Answer(line)) << '\n';
  answers.close();
  return lines.eof() && answers ? kDone : kFailed;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fputs("usage: runner PROGRAMS OUTPUT\n", stderr);
    return kUsage;
  }
  // At once: an ordinary exit would run destructors under the feet of verbs that are still blocked.
  _exit(Run(words[1], words[2]));
}
