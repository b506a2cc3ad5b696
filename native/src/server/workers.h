// Threads for verbs that may block. A worker of libuv's pool would not do: a few blocked ones starve the file system of
// the process, and one is enough to make its exit wait for ever.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

class Workers {
 public:
  // Runs the job on a thread that no other job has. Throws std::system_error if there is none to be had.
  void Run(std::function<void()> job);

 private:
  [[noreturn]] void Work();

  std::mutex mutex_;
  std::condition_variable job_is_there_;
  std::deque<std::function<void()>> jobs_;
  size_t idle_ = 0;  // threads that wait for a job
};
