// Registered memory as the program reads and writes it, while the device may write it too.
#include <atomic>
#include <cstring>

#include "runtime/refusal.h"
#include "runtime/result.h"
#include "runtime/text.h"
#include "runtime/verbs.h"

namespace {

// Two digits a byte have to fit into a line of the protocol.
constexpr size_t kMostBytesACall = size_t{4} << 20;

// The place in the memory of the region. Throws BadParams if the bytes do not lie in it.
uint8_t* PlaceIn(const Mr& mr, size_t offset, size_t bytes) {
  if (bytes > kMostBytesACall) throw BadParams("at most " + std::to_string(kMostBytesACall) + " bytes a call");
  if (offset > mr.length || bytes > mr.length - offset) {
    throw BadParams(std::to_string(bytes) + " bytes at offset " + std::to_string(offset) + " do not lie in the " +
                    std::to_string(mr.length) + " bytes of " + mr.handle);
  }
  return static_cast<uint8_t*>(mr.pages.get()) + offset;
}

Answer ReadMemory(Handles& handles, Params& params, const Reply&) {
  const auto mr = handles.Get<Mr>(params.String("mr"));
  const auto offset = params.Integer<size_t>("offset");
  const auto length = params.Integer<size_t>("length");
  params.End();
  const uint8_t* const place = PlaceIn(*mr, offset, length);
  std::vector<uint8_t> bytes(length);
  const auto call = Measure([&] {
    std::atomic_thread_fence(std::memory_order_acquire);
    if (length > 0) std::memcpy(bytes.data(), place, length);
  });
  Json outputs = Json::object();
  outputs["bytes"] = HexText(bytes);
  return Result(call, outputs);
}

Answer WriteMemory(Handles& handles, Params& params, const Reply&) {
  const auto mr = handles.Get<Mr>(params.String("mr"));
  const auto offset = params.Integer<size_t>("offset");
  const std::vector<uint8_t> bytes = BytesOf(params.String("bytes"));
  params.End();
  uint8_t* const place = PlaceIn(*mr, offset, bytes.size());
  const auto call = Measure([&] {
    if (!bytes.empty()) std::memcpy(place, bytes.data(), bytes.size());
    std::atomic_thread_fence(std::memory_order_release);
  });
  return Result(call);
}

}  // namespace

std::vector<Verb> MemoryVerbs() { return {{"memory read", ReadMemory}, {"memory write", WriteMemory}}; }
