// What a program leaves behind is destroyed in an order that a correct device has no reason to refuse.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "runtime/handles.h"
#include "server/json.h"

// Calls a verb, waits for it, and gives its raw result. Throws what refuses it.
using CallVerb = std::function<Json(const std::string& verb, const Json& args)>;

class Cleanup {
 public:
  // Of what was made after the object of that number.
  Cleanup(Handles& handles, const CallVerb& call, uint64_t sequence)
      : handles_(handles), call_(call), sequence_(sequence) {}

  // Gives back what the program has made scarce for the process, which goes on.
  void GiveBackLimits();

  // Acknowledges what events were taken and are owed, also of CQs whose destruction waits for that.
  void Acknowledge();

  // Destroys all but these handles, and what is refused again, for as long as that helps.
  void DestroyAllBut(const std::set<std::string>& kept);

  // The calls that were refused in the end.
  Json Refused() const { return refused_; }

 private:
  bool Call(const std::string& verb, const Json& args);
  void EndBatches();

  Handles& handles_;
  const CallVerb& call_;
  const uint64_t sequence_;
  Json refused_ = Json::array();
};
