// The batches of extended CQs that a program has opened. ibv_next_poll(3), ibv_end_poll(3) and the readers may be called
// in a batch alone, and what waits for its end outside of it, so a program does not make the others.
// drivers/programs/batches.ts is the same.
#pragma once

#include <map>
#include <string>

#include "server/json.h"

class Batches {
 public:
  // Whether a program that is in its senses makes this call now.
  bool Allow(const std::string& verb, const Json& args) const {
    const auto found = standing_.find(CqOf(args));
    if (verb == "ibv_start_poll" || verb == "ibv_poll_cq" || verb == "ibv_resize_cq") return found == standing_.end();
    if (verb == "ibv_end_poll") return found != standing_.end();
    const bool reads = verb == "ibv_next_poll" || verb == "struct ibv_cq_ex" || verb.rfind("ibv_wc_read_", 0) == 0;
    return !reads || (found != standing_.end() && found->second == Standing::kOn);
  }

  void See(const std::string& verb, const Json& args, const Json& result) {
    const bool has_one = result["returned"] == 0;
    if (verb == "ibv_start_poll" && has_one) standing_[CqOf(args)] = Standing::kOn;
    if (verb == "ibv_next_poll") standing_[CqOf(args)] = has_one ? Standing::kOn : Standing::kBehind;
    if (verb == "ibv_end_poll") standing_.erase(CqOf(args));
  }

 private:
  // On a completion, or behind the last one.
  enum class Standing { kOn, kBehind };

  static std::string CqOf(const Json& args) {
    const auto cq = args.find("cq");
    return cq != args.end() && cq->is_string() ? cq->get<std::string>() : std::string();
  }

  std::map<std::string, Standing> standing_;
};
