#include "runtime/verbs.h"

const std::vector<Verb>& AllVerbs() {
  static const std::vector<Verb> all = [] {
    std::vector<Verb> verbs;
    for (const auto& list :
         {DeviceVerbs(), PdVerbs(), AhVerbs(), MrVerbs(), MemoryVerbs(), MwVerbs(), CompChannelVerbs(), CqVerbs(),
          CqExVerbs(), MemberVerbs(), SrqVerbs(), QpVerbs(), WorkRequestVerbs(), AsyncEventVerbs(),
          ConstantTextVerbs(), DescriptorVerbs(), ResourceLimitVerbs()}) {
      verbs.insert(verbs.end(), list.begin(), list.end());
    }
    return verbs;
  }();
  return all;
}

Json Descriptions() {
  Json verbs = Json::object();
  for (const Verb& verb : AllVerbs()) verbs[verb.name] = {{"in", verb.in}, {"out", verb.out}};
  return verbs;
}
