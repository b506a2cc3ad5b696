// One program while it runs, on threads of its own.
#pragma once

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "program/batches.h"
#include "program/cleanup.h"
#include "program/names.h"
#include "program/program.h"
#include "runtime/turn.h"
#include "server/workers.h"

struct Conditions {
  std::chrono::milliseconds quiet;     // a settle
  std::chrono::milliseconds deadline;  // of the program
  std::set<std::string> keep;          // names whose objects are not destroyed
  bool goes_on;                        // nothing is cleaned up: the next program is the rest of this one
};

// What is left of a program that goes on in the next one.
struct Unfinished {
  uint64_t sequence;  // of the object that was made last before it
  Batches batches;
};

// What all programs share. It lasts as long as the process: a call may return long after its program was given up.
struct Stage {
  Handles& handles;
  const CallVerb call;
  std::mutex turns;
  Workers workers;
  // Bytes that the records of one request may still have, nearly.
  size_t room = 0;
  std::optional<Unfinished> unfinished{};
};

class ProgramRun : public std::enable_shared_from_this<ProgramRun> {
 public:
  ProgramRun(Stage& stage, Program program, Names names, Conditions conditions);

  // Runs the program and destroys what it has made, unless it goes on. To be called once, and outside of any turn.
  void Execute();

  // What it came to, as drivers/native/protocol.ts says. To be called once.
  Json TakeOutcome();

  // Whether a call has not returned that nothing makes return. The turns are at an end then.
  bool Hangs() const { return hangs_; }

  // Gives the names of what was kept to others.
  void GiveKept(Names& names) const { names.Take(names_, conditions_.keep); }

 private:
  // A call that has begun, and what it was given.
  struct Begun {
    const std::string* verb;
    const Json* args;
    pthread_t thread;
  };

  bool Sequence(const std::vector<Op>& ops);
  bool Perform(const Op& op);
  bool Call(const Op& op);
  bool Parallel(const Op& op);
  void Settle();
  void Start(const std::vector<Op>& ops, bool& has_ended, bool& is_whole);
  void Record(size_t at, Json record);
  std::optional<Json> Returned(const Op& op, const Json& args);
  void Refuse(int code, const std::string& message);
  void GiveUp();
  void CleanUp();
  bool MakeReturn(Cleanup& cleanup);
  std::vector<std::shared_ptr<Object>> ObjectsIn(const Json& args) const;

  Stage& stage_;
  const Program program_;
  const Conditions conditions_;
  const uint64_t sequence_;  // of the object that was made last before
  Batches batches_;
  Names names_;
  Json::array_t records_;
  std::map<size_t, Begun> begun_;  // by the places of their records
  size_t threads_ = 0;             // that run
  size_t settles_ = 0;             // that are over
  bool is_given_up_ = false;
  bool is_clean_ = false;
  bool hangs_ = false;
  Json refused_ = nullptr;
  Json cleanup_ = Json::array();
  std::condition_variable changed_;
};

// Lets the threads of programs be interrupted while they wait in a system call. To be called once.
void PrepareForInterrupts();
