// The threads of a program take turns: the one whose turn it is touches handles, the others are inside C functions.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/handles.h"

// What this thread has while it is its turn. Threads outside of programs have none, and take no turns.
class Turn {
 public:
  // Waits for its first turn.
  explicit Turn(std::mutex& mutex) : lock_(mutex) { current_ = this; }
  ~Turn() { current_ = nullptr; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  static Turn* Current() { return current_; }
  std::unique_lock<std::mutex>& Lock() { return lock_; }

  // What the C functions use that are called from now on: nobody else may destroy it meanwhile.
  void Use(std::vector<std::shared_ptr<Object>> objects) { used_ = std::move(objects); }

 private:
  friend class OutOfTurn;
  void Count(int calls) {
    for (const auto& object : used_) object->calls_inside += calls;
  }

  std::unique_lock<std::mutex> lock_;
  std::vector<std::shared_ptr<Object>> used_;
  inline static thread_local Turn* current_ = nullptr;
};

// Lets others have their turns for as long as it lives.
class OutOfTurn {
 public:
  OutOfTurn() : turn_(Turn::Current()) {
    if (turn_ == nullptr) return;
    turn_->Count(1);
    turn_->lock_.unlock();
  }
  ~OutOfTurn() {
    if (turn_ == nullptr) return;
    turn_->lock_.lock();
    turn_->Count(-1);
  }
  OutOfTurn(const OutOfTurn&) = delete;
  OutOfTurn& operator=(const OutOfTurn&) = delete;

 private:
  Turn* const turn_;
};
