#include "program/cleanup.h"

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <vector>

#include "program/record.h"

namespace {

using Objects = std::vector<std::shared_ptr<Object>>;

// The verb that destroys an object of the kind, whose name is that of its parameter.
const char* DestroyerOf(const std::string& kind) {
  static const std::map<std::string, const char*> destroyers{
      {Context::kKind, "ibv_close_device"},     {Pd::kKind, "ibv_dealloc_pd"},
      {Memory::kKind, "memory free"},           {Ah::kKind, "ibv_destroy_ah"},
      {Mr::kKind, "ibv_dereg_mr"},              {Mw::kKind, "ibv_dealloc_mw"},
      {CompChannel::kKind, "ibv_destroy_comp_channel"}, {Cq::kKind, "ibv_destroy_cq"},
      {Srq::kKind, "ibv_destroy_srq"},          {Qp::kKind, "ibv_destroy_qp"},
      {AsyncEvent::kKind, "ibv_ack_async_event"},
  };
  return destroyers.at(kind);
}

}  // namespace

void Cleanup::GiveBackLimits() { Call("setrlimit", {{"resource", "RLIMIT_NOFILE"}, {"soft", nullptr}}); }

void Cleanup::Acknowledge() {
  for (const auto& object : handles_.MadeAfter(sequence_)) {
    if (object->state == Object::State::kOrphaned) continue;
    if (object->kind == std::string(AsyncEvent::kKind)) Call("ibv_ack_async_event", {{"event", object->handle}});
    const auto* const cq = dynamic_cast<const Cq*>(object.get());
    if (cq == nullptr || cq->events_unacknowledged == 0) continue;
    Call("ibv_ack_cq_events", {{"cq", cq->handle}, {"nevents", cq->events_unacknowledged}});
  }
}

void Cleanup::EndBatches() {
  for (const auto& object : handles_.MadeAfter(sequence_)) {
    const auto* const cq = dynamic_cast<const Cq*>(object.get());
    if (cq != nullptr && cq->has_batch && cq->state == Object::State::kAlive) Call("ibv_end_poll", {{"cq", cq->handle}});
  }
}

void Cleanup::DestroyAllBut(const std::set<std::string>& kept) {
  EndBatches();
  for (bool helps = true; helps;) {
    helps = false;
    refused_ = Json::array();
    Objects objects = handles_.MadeAfter(sequence_);
    std::reverse(objects.begin(), objects.end());
    // There are devices on which a QP waits for the windows that are bound to it.
    std::stable_partition(objects.begin(), objects.end(), [](const auto& one) { return one->kind == std::string(Mw::kKind); });
    for (const auto& object : objects) {
      if (kept.count(object->handle) > 0) continue;
      // The program has closed the context, and it is gone with that.
      if (object->state == Object::State::kOrphaned) {
        handles_.Remove(*object);
      } else if (Call(DestroyerOf(object->kind), {{object->kind, object->handle}})) {
        helps = true;
      }
    }
    if (refused_.empty()) return;
  }
}

// Whether the verb was carried out.
bool Cleanup::Call(const std::string& verb, const Json& args) {
  try {
    const Json result = call_(verb, args);
    if (result["returned"].is_null() || result["returned"] == 0) return true;
    refused_.push_back(RecordOf(verb, args, result));
  } catch (const std::exception& error) {
    Json record = EmptyRecordOf(verb, args);
    record["refused"] = error.what();
    refused_.push_back(std::move(record));
  }
  return false;
}
