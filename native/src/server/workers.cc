#include "server/workers.h"

#include <pthread.h>

#include <thread>
#include <utility>

void Workers::Run(std::function<void()> job) {
  {
    const std::lock_guard<std::mutex> lock{mutex_};
    // A thread stays when its job is done, since most verbs take less time than to start one.
    if (jobs_.size() >= idle_) std::thread(&Workers::Work, this).detach();
    jobs_.push_back(std::move(job));
  }
  // A thread that woke up while the lock is held would go to sleep again.
  job_is_there_.notify_one();
}

void Workers::Work() {
  std::unique_lock<std::mutex> lock{mutex_};
  for (;;) {
    ++idle_;
    job_is_there_.wait(lock, [this] { return !jobs_.empty(); });
    --idle_;
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    // Whoever looks for what hangs finds the threads that are inside a verb by this name.
    pthread_setname_np(pthread_self(), "verb");
    job();
    pthread_setname_np(pthread_self(), "idle");
    lock.lock();
  }
}
