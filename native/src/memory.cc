// Memory of the program, which it allocates, reads and writes, also while a device writes it.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "runtime/arguments.h"
#include "runtime/refusal.h"
#include "runtime/result.h"

namespace {

// What is registered is pinned: a client could else take all of the machine's, down to the kernel's OOM killer.
constexpr size_t kMostBytesAllocated = size_t{256} << 20;

// Two digits per byte have to fit into a line of the protocol.
constexpr size_t kMostBytesACall = size_t{4} << 20;

void RequireRoom(const Handles& handles, size_t length) {
  size_t allocated = 0;
  handles.Find<Memory>([&](const Memory& memory) {
    allocated += memory.length;
    return false;
  });
  if (length <= kMostBytesAllocated && allocated <= kMostBytesAllocated - length) return;
  throw BadParams("all memory together may have " + std::to_string(kMostBytesAllocated) + " bytes");
}

// Fresh pages are zeroed. There is at least one, so that a length of 0 has an address.
Pages AllocatePages(size_t length) {
  const size_t mapped = std::max<size_t>(length, 1);
  void* const address = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) throw std::runtime_error("no memory for " + std::to_string(length) + " bytes");
  return Pages{address, PagesDeleter{mapped}};
}

Answer AllocateMemory(const Call& call, size_t length) {
  RequireRoom(call.handles, length);
  Pages pages;
  const auto made = MeasureInTurn([&] {
    pages = AllocatePages(length);
    return pages.get();
  });
  Json outputs = Json::object();
  outputs["addr"] = WordText(reinterpret_cast<uintptr_t>(made.returned));
  const auto memory = call.handles.Add<Memory>(std::move(pages), length);
  return Result(made, memory->handle, std::move(outputs));
}

// Regions that still lie in it keep the pages, but nobody else finds them.
Answer FreeMemory(const Call& call, std::shared_ptr<Memory> memory) {
  return Result(MeasureInTurn([&] { call.handles.Remove(*memory); }));
}

// The place of the bytes. Throws BadParams if they do not lie in allocated memory.
uint8_t* PlaceAt(const Handles& handles, uint64_t addr, size_t bytes) {
  if (bytes > kMostBytesACall) throw BadParams("at most " + std::to_string(kMostBytesACall) + " bytes per call");
  if (!handles.Find<Memory>([&](const Memory& memory) { return memory.Holds(addr, bytes); })) {
    throw BadParams(std::to_string(bytes) + " bytes at " + WordText(addr) + " do not lie in allocated memory");
  }
  return reinterpret_cast<uint8_t*>(static_cast<uintptr_t>(addr));
}

Answer ReadMemory(const Call& call, uint64_t addr, size_t length) {
  const uint8_t* const place = PlaceAt(call.handles, addr, length);
  std::vector<uint8_t> bytes(length);
  const auto read = MeasureInTurn([&] {
    std::atomic_thread_fence(std::memory_order_acquire);
    if (length > 0) std::memcpy(bytes.data(), place, length);
  });
  Json outputs = Json::object();
  outputs["bytes"] = HexText(bytes);
  return Result(read, std::move(outputs));
}

Answer WriteMemory(const Call& call, uint64_t addr, std::vector<uint8_t> bytes) {
  uint8_t* const place = PlaceAt(call.handles, addr, bytes.size());
  return Result(MeasureInTurn([&] {
    if (!bytes.empty()) std::memcpy(place, bytes.data(), bytes.size());
    std::atomic_thread_fence(std::memory_order_release);
  }));
}

}  // namespace

std::vector<Verb> MemoryVerbs() {
  return {
      Describe("memory allocate", AllocateMemory, Integer<size_t>("length")).Filling({{"addr", "u64"}}),
      Describe("memory free", FreeMemory, Living<Memory>("memory")),
      Describe("memory read", ReadMemory, Word("addr"), Integer<size_t>("length")).Filling({{"bytes", "bytes"}}),
      Describe("memory write", WriteMemory, Word("addr"), Bytes("bytes")),
  };
}
