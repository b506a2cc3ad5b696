#include "program/programs.h"

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "runtime/refusal.h"

namespace {

// What a request has at most.
constexpr size_t kMostPrograms = 1024;
constexpr uint32_t kMostQuietMs = 10'000;
constexpr uint32_t kMostDeadlineMs = 600'000;
constexpr size_t kMostBytesOfRecords = size_t{8} << 20;

std::set<std::string> TextsOf(const Json& list, const char* name) {
  std::set<std::string> texts;
  for (const Json& item : list) {
    if (!item.is_string()) throw BadParams(std::string("parameter ") + name + " must be a list of names");
    texts.insert(item.get<std::string>());
  }
  return texts;
}

std::chrono::milliseconds Milliseconds(Params& params, const char* name, uint32_t most) {
  const auto milliseconds = params.Integer<uint32_t>(name);
  if (milliseconds <= most) return std::chrono::milliseconds{milliseconds};
  throw BadParams(std::string("parameter ") + name + " must be at most " + std::to_string(most));
}

}  // namespace

Programs::Programs(Handles& handles, CallVerb call, std::function<bool(const std::string&)> knows)
    // Never freed: see Stage.
    : stage_(*new Stage{handles, std::move(call), {}, {}}), knows_(std::move(knows)) {
  PrepareForInterrupts();
}

Json Programs::Run(const Json& params) {
  if (hangs_) throw BadHandle("a call of an earlier program has not returned");
  Params named{params};
  Names names{named.Any("names")};
  Conditions conditions{Milliseconds(named, "quietMs", kMostQuietMs),
                        Milliseconds(named, "deadlineMs", kMostDeadlineMs), TextsOf(named.List("keep"), "keep"),
                        named.Boolean("goesOn")};
  const Json& list = named.List("programs");
  named.End();
  if (list.size() > kMostPrograms) throw BadParams("parameter programs must have at most 1024 of them");
  auto known = names.All();
  known.insert(conditions.keep.begin(), conditions.keep.end());
  std::vector<Program> programs;
  for (const Json& ops : list) {
    programs.push_back(ProgramOf(ops, "program " + std::to_string(programs.size()), {knows_, known}));
  }
  stage_.room = kMostBytesOfRecords;
  Json runs = Json::array();
  for (Program& program : programs) {
    const auto run = std::make_shared<ProgramRun>(stage_, std::move(program), names, conditions);
    run->Execute();
    runs.push_back(run->TakeOutcome());
    run->GiveKept(names);
    hangs_ = run->Hangs();
    if (hangs_) break;
  }
  return {{"runs", std::move(runs)}};
}
