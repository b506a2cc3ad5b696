#include "program/run.h"

#include <csignal>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "program/record.h"
#include "runtime/refusal.h"

namespace {

// Until calls that were given up return, once what they wait for is there, or they were interrupted; also where everything
// is slow.
constexpr std::chrono::seconds kReturnGrace{5};
constexpr std::chrono::milliseconds kInterruptEvery{10};
// Until everything is destroyed.
constexpr std::chrono::seconds kCleanupGrace{30};

constexpr int kInternalError = -32603;  // of JSON-RPC

// Nobody else uses it; Node has those that have a name.
int InterruptSignal() { return SIGRTMIN + 5; }

// How much of a line a value takes, nearly.
size_t WeightOf(const Json& value) {
  if (value.is_string()) return value.get_ref<const std::string&>().size() + 3;
  size_t weight = 8;
  if (!value.is_structured()) return weight;
  for (const auto& [name, item] : value.items()) weight += name.size() + WeightOf(item);
  return weight;
}

}  // namespace

void PrepareForInterrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) {};  // without SA_RESTART: the system call ends with EINTR
  sigaction(InterruptSignal(), &action, nullptr);
}

ProgramRun::ProgramRun(Stage& stage, Program program, Names names, Conditions conditions)
    : stage_(stage),
      program_(std::move(program)),
      conditions_(std::move(conditions)),
      sequence_(stage.unfinished ? stage.unfinished->sequence : stage.handles.LastSequence()),
      batches_(stage.unfinished ? stage.unfinished->batches : Batches{}),
      names_(std::move(names)),
      records_(program_.calls) {}

void ProgramRun::Execute() {
  std::unique_lock<std::mutex> lock{stage_.turns};
  bool has_ended = false;
  bool is_whole = false;
  Start(program_.ops, has_ended, is_whole);
  // The flags belong to this frame: threads that come back later than this find that the program was given up.
  if (!changed_.wait_for(lock, conditions_.deadline, [&] { return has_ended; })) GiveUp();
  stage_.unfinished.reset();
  if (conditions_.goes_on && is_whole) {
    stage_.unfinished = Unfinished{sequence_, batches_};
    return;
  }
  try {
    stage_.workers.Run([self = shared_from_this()] { self->CleanUp(); });
  } catch (const std::system_error& error) {
    throw std::runtime_error(std::string("no thread for a clean-up: ") + error.what());
  }
  if (!changed_.wait_for(lock, kCleanupGrace, [&] { return is_clean_; })) hangs_ = true;
  // Whatever returns from now on has no turn any more.
  if (hangs_) lock.release();
}

Json ProgramRun::TakeOutcome() {
  Json outcome = Json::object();
  if (refused_.is_null()) outcome["records"] = std::move(records_);
  if (!refused_.is_null()) outcome["refused"] = refused_;
  if (!conditions_.keep.empty()) outcome["kept"] = names_.Only(conditions_.keep);
  outcome["cleanup"] = std::move(cleanup_);
  if (is_given_up_) outcome["late"] = true;
  if (hangs_) outcome["hangs"] = true;
  return outcome;
}

void ProgramRun::Start(const std::vector<Op>& ops, bool& has_ended, bool& is_whole) {
  const auto run = [self = shared_from_this(), &ops, &has_ended, &is_whole] {
    Turn turn{self->stage_.turns};
    const bool whole = self->Sequence(ops);
    --self->threads_;
    if (!self->is_given_up_) {
      is_whole = whole;
      has_ended = true;
    }
    self->changed_.notify_all();
  };
  ++threads_;
  try {
    stage_.workers.Run(run);
  } catch (const std::system_error& error) {
    --threads_;
    has_ended = true;
    Refuse(kInternalError, std::string("no thread for a program: ") + error.what());
  }
}

// Whether all of it was done, and has returned.
bool ProgramRun::Sequence(const std::vector<Op>& ops) {
  for (const Op& op : ops) {
    if (is_given_up_ || !refused_.is_null()) return false;
    if (!Perform(op)) return false;
  }
  return true;
}

bool ProgramRun::Perform(const Op& op) {
  switch (op.kind) {
    case Op::Kind::kCall:
      return Call(op);
    case Op::Kind::kParallel:
      return Parallel(op);
    case Op::Kind::kSettle:
      Settle();
      break;
  }
  return true;
}

void ProgramRun::Settle() {
  {
    const OutOfTurn out_of_turn;
    std::this_thread::sleep_for(conditions_.quiet);
  }
  ++settles_;
}

bool ProgramRun::Parallel(const Op& op) {
  struct Flags {
    bool has_ended = false;
    bool is_whole = false;
  };
  // Shared with threads that may outlive this frame only if the program is given up, and which then leave it alone.
  std::vector<Flags> flags(op.threads.size());
  for (size_t index = 0; index < op.threads.size(); ++index) {
    Start(op.threads[index], flags[index].has_ended, flags[index].is_whole);
  }
  const auto all = [&](bool Flags::*flag) {
    for (const Flags& thread : flags) {
      if (!(thread.*flag)) return false;
    }
    return true;
  };
  changed_.wait(Turn::Current()->Lock(), [&] { return is_given_up_ || all(&Flags::has_ended); });
  return all(&Flags::is_whole);
}

bool ProgramRun::Call(const Op& op) {
  try {
    auto args = names_.Resolve(
        op.args, [this](const std::string& handle) { return stage_.handles.FindByHandle(handle) != nullptr; });
    if (!args || !batches_.Allow(op.verb, *args)) return true;
    const size_t before = settles_;
    auto result = Returned(op, *args);
    if (!result) return false;
    batches_.See(op.verb, *args, *result);
    if (!op.as.empty()) names_.Bind(op.as, *result);
    Json record = RecordOf(op.verb, std::move(*args), std::move(*result));
    if (settles_ > before) record["waited"] = settles_ - before;
    Record(op.record, std::move(record));
    return true;
  } catch (const WasDestroyed&) {
    return true;  // an event whose object the device has destroyed too early: left out as calls of such objects are
  } catch (const Refusal& refusal) {
    Refuse(refusal.Code(), op.where + ": " + refusal.what());
  } catch (const std::exception& error) {
    Refuse(kInternalError, op.where + ": " + error.what());
  }
  return false;
}

// The raw result, or nothing if the program was given up before the call returned.
std::optional<Json> ProgramRun::Returned(const Op& op, const Json& args) {
  begun_[op.record] = {&op.verb, &args, pthread_self()};
  Turn::Current()->Use(ObjectsIn(args));
  const auto forget = [this, &op] {
    Turn::Current()->Use({});
    begun_.erase(op.record);
  };
  try {
    Json result = stage_.call(op.verb, args);
    forget();
    return is_given_up_ ? std::nullopt : std::optional<Json>(std::move(result));
  } catch (...) {
    forget();
    throw;
  }
}

// What the arguments name, and what providers look into with it.
std::vector<std::shared_ptr<Object>> ProgramRun::ObjectsIn(const Json& args) const {
  std::vector<std::shared_ptr<Object>> objects;
  if (args.is_string()) {
    const auto object = stage_.handles.FindByHandle(args.get_ref<const std::string&>());
    if (object == nullptr) return objects;
    objects.push_back(object);
    if (const auto* qp = dynamic_cast<const Qp*>(object.get())) {
      objects.insert(objects.end(), qp->queues.begin(), qp->queues.end());
    }
  }
  if (!args.is_structured()) return objects;
  for (const Json& item : args) {
    const auto inner = ObjectsIn(item);
    objects.insert(objects.end(), inner.begin(), inner.end());
  }
  return objects;
}

void ProgramRun::Record(size_t at, Json record) {
  const size_t weight = WeightOf(record);
  if (weight > stage_.room) throw std::runtime_error("the records take more than a line of the protocol");
  stage_.room -= weight;
  records_[at] = std::move(record);
}

// The first one counts; of what other threads do then, nothing is said.
void ProgramRun::Refuse(int code, const std::string& message) {
  if (refused_.is_null() && !is_given_up_) refused_ = {{"code", code}, {"message", message}};
}

void ProgramRun::GiveUp() {
  is_given_up_ = true;
  for (const auto& [at, call] : begun_) {
    records_[at] = EmptyRecordOf(*call.verb, *call.args);
    records_[at]["blocked"] = true;
  }
  changed_.notify_all();
}

void ProgramRun::CleanUp() {
  Turn turn{stage_.turns};
  Cleanup cleanup{stage_.handles, stage_.call, sequence_};
  cleanup.GiveBackLimits();
  cleanup.Acknowledge();
  if (MakeReturn(cleanup)) {
    // What was to be there for the rest is not kept where that does not come.
    cleanup.DestroyAllBut(names_.HandlesOf(conditions_.goes_on ? std::set<std::string>{} : conditions_.keep));
  } else {
    hangs_ = true;
  }
  cleanup_ = cleanup.Refused();
  is_clean_ = true;
  changed_.notify_all();
}

// Whether all threads of the program have ended, also those whose calls had not returned.
bool ProgramRun::MakeReturn(Cleanup& cleanup) {
  const auto until = std::chrono::steady_clock::now() + kReturnGrace;
  while (threads_ > 0 && std::chrono::steady_clock::now() < until) {
    for (const auto& [at, call] : begun_) pthread_kill(call.thread, InterruptSignal());
    changed_.wait_for(Turn::Current()->Lock(), kInterruptEvery, [&] { return threads_ == 0; });
    // A call that has just returned may have taken an event.
    cleanup.Acknowledge();
  }
  return threads_ == 0;
}
