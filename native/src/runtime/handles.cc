#include "runtime/handles.h"

#include <algorithm>
#include <charconv>

#include "runtime/refusal.h"

void Handles::Register(const std::shared_ptr<Object>& object) {
  object->handle = std::string(object->kind) + "#" + std::to_string(++last_number_[object->kind]);
  object->sequence = ++last_sequence_;
  objects_.emplace(object->handle, object);
}

std::shared_ptr<Object> Handles::GetAny(const std::string& handle) const {
  const auto found = objects_.find(handle);
  if (found == objects_.end()) {
    if (WasUsed(handle)) throw WasDestroyed(handle.substr(0, 80) + " was destroyed");
    throw BadHandle(handle.substr(0, 80) + " does not exist");
  }
  const auto& object = found->second;
  if (object->state == Object::State::kOrphaned) {
    throw BadHandle(handle + " is gone: its " + object->context->handle + " was closed");
  }
  return object;
}

// Numbers are given in order, so those up to the last one have been in use.
bool Handles::WasUsed(const std::string& handle) const {
  const size_t separator = handle.find('#');
  if (separator == std::string::npos) return false;
  const auto last = last_number_.find(handle.substr(0, separator));
  if (last == last_number_.end()) return false;
  uint64_t number = 0;
  const char* const end = handle.data() + handle.size();
  const auto parsed = std::from_chars(handle.data() + separator + 1, end, number);
  return parsed.ec == std::errc() && parsed.ptr == end && number > 0 && number <= last->second;
}

void Handles::RequireNotBeingDestroyed(const Object& object) {
  if (object.state == Object::State::kBeingDestroyed) throw BadHandle(object.handle + " is being destroyed");
  if (object.context && object.context->state == Object::State::kBeingDestroyed) {
    throw BadHandle(object.handle + " is going: its " + object.context->handle + " is being closed");
  }
}

void Handles::RequireUnused(const Object& object) {
  if (object.calls_inside > 0) throw BadHandle(object.handle + " is in use by a call that has not returned");
}

void Handles::ThrowOtherKind(const std::string& handle, const char* kind) {
  throw BadHandle(handle + " is not a handle of kind " + kind);
}

void Handles::RequireNoCallsInside(const Context& context) const {
  for (const auto& [handle, object] : objects_) {
    if (object->context.get() != &context) continue;
    RequireNotBeingDestroyed(*object);
    RequireUnused(*object);
  }
}

void Handles::Orphan(const Context& context) {
  for (const auto& [handle, object] : objects_) {
    if (object->context.get() == &context) object->state = Object::State::kOrphaned;
  }
}

std::vector<std::string> Handles::Leftovers() const {
  std::vector<std::string> handles;
  for (const auto& object : MadeAfter(0)) handles.push_back(object->handle);
  return handles;
}

std::vector<std::shared_ptr<Object>> Handles::MadeAfter(uint64_t sequence) const {
  std::vector<std::shared_ptr<Object>> objects;
  for (const auto& [handle, object] : objects_) {
    if (object->sequence > sequence) objects.push_back(object);
  }
  std::sort(objects.begin(), objects.end(), [](const auto& a, const auto& b) { return a->sequence < b->sequence; });
  return objects;
}

void RequireNoBatch(const Cq& cq) {
  if (cq.has_batch) throw BadHandle(cq.handle + " has a batch in progress");
}
