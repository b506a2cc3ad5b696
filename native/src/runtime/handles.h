// The objects that exist, by handle. A client names objects by handle alone: no pointer comes from outside.
#pragma once

#include <infiniband/verbs.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

struct Context;

struct Object {
  enum class State {
    kAlive,
    kBeingDestroyed,  // a destroying verb has not returned
    kOrphaned,        // its context was closed, and the memory behind the pointer with it
  };

  Object(const char* kind, std::shared_ptr<Context> context) : kind(kind), context(std::move(context)) {}
  virtual ~Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  const char* const kind;
  const std::shared_ptr<Context> context;  // null for a context, and for memory
  std::string handle;
  uint64_t sequence = 0;
  State state = State::kAlive;
  int calls_inside = 0;  // calls on threads of their own that use the object
};

struct Context final : Object {
  static constexpr const char* kKind = "context";
  explicit Context(ibv_context* pointer) : Object(kKind, nullptr), pointer(pointer) {}
  ibv_context* const pointer;
};

struct Pd final : Object {
  static constexpr const char* kKind = "pd";
  Pd(std::shared_ptr<Context> context, ibv_pd* pointer) : Object(kKind, std::move(context)), pointer(pointer) {}
  ibv_pd* const pointer;
};

// Zeroed pages of this process.
struct PagesDeleter {
  size_t length;
  void operator()(void* address) const noexcept { munmap(address, length); }
};
using Pages = std::unique_ptr<void, PagesDeleter>;

// Memory that the program has allocated.
struct Memory final : Object {
  static constexpr const char* kKind = "memory";
  Memory(Pages pages, size_t length) : Object(kKind, nullptr), pages(std::move(pages)), length(length) {}

  // Whether the bytes lie in it.
  bool Holds(uint64_t address, uint64_t bytes) const {
    const uint64_t begin = reinterpret_cast<uintptr_t>(pages.get());
    return address >= begin && address - begin <= length && bytes <= length - (address - begin);
  }

  const Pages pages;
  const size_t length;  // bytes that were asked for
};

struct Ah final : Object {
  static constexpr const char* kKind = "ah";
  Ah(std::shared_ptr<Context> context, ibv_ah* pointer) : Object(kKind, std::move(context)), pointer(pointer) {}
  ibv_ah* const pointer;
};

struct Mr final : Object {
  static constexpr const char* kKind = "mr";
  Mr(std::shared_ptr<Context> context, ibv_mr* pointer, std::shared_ptr<Memory> memory)
      : Object(kKind, std::move(context)), pointer(pointer), memory(std::move(memory)) {}
  ibv_mr* const pointer;
  const std::shared_ptr<Memory> memory;  // that it lies in
};

struct Mw final : Object {
  static constexpr const char* kKind = "mw";
  Mw(std::shared_ptr<Context> context, ibv_mw* pointer) : Object(kKind, std::move(context)), pointer(pointer) {}
  ibv_mw* const pointer;
};

struct CompChannel final : Object {
  static constexpr const char* kKind = "channel";
  CompChannel(std::shared_ptr<Context> context, ibv_comp_channel* pointer)
      : Object(kKind, std::move(context)), pointer(pointer) {}
  ibv_comp_channel* const pointer;
};

struct Cq final : Object {
  static constexpr const char* kKind = "cq";
  Cq(std::shared_ptr<Context> context, ibv_cq* pointer, ibv_cq_ex* extended)
      : Object(kKind, std::move(context)), pointer(pointer), extended(extended) {}
  ibv_cq* const pointer;
  ibv_cq_ex* const extended;          // the same CQ, or null if ibv_create_cq(3) created it
  bool has_batch = false;             // ibv_start_poll(3) has begun one that ibv_end_poll(3) has not ended
  // Taken less acknowledged, in the 32 bits of libibverbs: after too many acknowledgements, so many more lead it back.
  uint32_t events_unacknowledged = 0;
};

struct Srq final : Object {
  static constexpr const char* kKind = "srq";
  Srq(std::shared_ptr<Context> context, ibv_srq* pointer) : Object(kKind, std::move(context)), pointer(pointer) {}
  ibv_srq* const pointer;
};

struct Qp final : Object {
  static constexpr const char* kKind = "qp";
  Qp(std::shared_ptr<Context> context, std::vector<std::shared_ptr<Object>> queues, ibv_qp* pointer)
      : Object(kKind, std::move(context)), queues(std::move(queues)), pointer(pointer) {}
  const std::vector<std::shared_ptr<Object>> queues;  // the CQs and the SRQ that it uses
  ibv_qp* const pointer;
};

// An asynchronous event that was taken and not yet acknowledged.
struct AsyncEvent final : Object {
  static constexpr const char* kKind = "event";
  AsyncEvent(std::shared_ptr<Context> context, const ibv_async_event& event, std::shared_ptr<Object> element)
      : Object(kKind, std::move(context)), event(event), element(std::move(element)) {}
  ibv_async_event event;
  const std::shared_ptr<Object> element;  // null for events of the port or the device
};

// Providers hold the lock of a CQ for as long as a batch lasts, and would wait for it here for ever. Throws BadHandle.
void RequireNoBatch(const Cq& cq);

// Used on the main thread only, and by the threads of programs in their turns; see turn.h.
class Handles {
 public:
  // Registers an object under a handle that was never used before.
  template <class T, class... Args>
  std::shared_ptr<T> Add(Args&&... args) {
    auto object = std::make_shared<T>(std::forward<Args>(args)...);
    Register(object);
    return object;
  }

  // The living object of that kind. Throws BadHandle.
  template <class T>
  std::shared_ptr<T> Get(const std::string& handle) const {
    auto object = GetAcknowledgeable<T>(handle);
    RequireNotBeingDestroyed(*object);
    return object;
  }

  // As Get, but also an object whose destruction waits for acknowledgements.
  template <class T>
  std::shared_ptr<T> GetAcknowledgeable(const std::string& handle) const {
    auto object = std::dynamic_pointer_cast<T>(GetAny(handle));
    if (!object) ThrowOtherKind(handle, T::kKind);
    return object;
  }

  // As Get, but refuses while another call uses the object: destroying it would pull memory from under that call.
  template <class T>
  std::shared_ptr<T> GetUnused(const std::string& handle) const {
    auto object = Get<T>(handle);
    RequireUnused(*object);
    return object;
  }

  // The object of any kind that exists and still has its context. Throws BadHandle.
  std::shared_ptr<Object> GetAny(const std::string& handle) const;

  // The same, or null where there is none.
  std::shared_ptr<Object> FindByHandle(const std::string& handle) const {
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }

  // An object of that kind for which `matches` holds, or null.
  template <class T, class Matches>
  std::shared_ptr<T> Find(const Matches& matches) const {
    for (const auto& [handle, object] : objects_) {
      auto candidate = std::dynamic_pointer_cast<T>(object);
      if (candidate && candidate->state != Object::State::kOrphaned && matches(*candidate)) return candidate;
    }
    return nullptr;
  }

  // The object that has this address, or null. The address is compared and never followed.
  template <class T>
  std::shared_ptr<T> FindByAddress(const void* address) const {
    return Find<T>([&](const T& candidate) { return candidate.pointer == address; });
  }

  void Remove(const Object& object) { objects_.erase(object.handle); }

  // A destroying verb returned: the object is no more, or can be used again.
  void EndDestruction(Object& object, bool destroyed) {
    object.state = Object::State::kAlive;
    if (destroyed) Remove(object);
  }

  // Throws BadHandle while calls use an object of the context.
  void RequireNoCallsInside(const Context& context) const;

  // The context was closed: its objects are no more, though nobody destroyed them.
  void Orphan(const Context& context);

  // Handles of all objects that were not destroyed, oldest first.
  std::vector<std::string> Leftovers() const;

  // Those of them that were made after the one of that number, oldest first.
  std::vector<std::shared_ptr<Object>> MadeAfter(uint64_t sequence) const;

  // The number of the object that was made last.
  uint64_t LastSequence() const { return last_sequence_; }

 private:
  void Register(const std::shared_ptr<Object>& object);
  bool WasUsed(const std::string& handle) const;
  static void RequireNotBeingDestroyed(const Object& object);
  static void RequireUnused(const Object& object);
  [[noreturn]] static void ThrowOtherKind(const std::string& handle, const char* kind);

  std::unordered_map<std::string, std::shared_ptr<Object>> objects_;
  std::map<std::string, uint64_t> last_number_;
  uint64_t last_sequence_ = 0;
};
