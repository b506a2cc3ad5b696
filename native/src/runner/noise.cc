// Takes the processor now and then, as its seed says, so that what runs beside it is interrupted elsewhere:
//
//     noise SEED NICENESS
#include <sys/resource.h>
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr uint32_t kMostTurns = 20'000;     // of work at a time
constexpr long kMostNanoseconds = 400'000;  // of sleep

// A linear congruential generator; its upper bits are the better ones.
uint32_t Next(uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<uint32_t>(state >> 33);
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fputs("usage: noise SEED NICENESS\n", stderr);
    return 2;
  }
  uint64_t state = std::strtoull(words[1], nullptr, 10);
  setpriority(PRIO_PROCESS, 0, static_cast<int>(std::strtol(words[2], nullptr, 10)));
  for (;;) {
    volatile uint32_t work = Next(state) % kMostTurns;
    while (work > 0) work = work - 1;
    const timespec pause{0, static_cast<long>(Next(state)) % kMostNanoseconds};
    nanosleep(&pause, nullptr);
  }
}
