// Address handles.
#include "ah_attr.h"
#include "runtime/result.h"
#include "runtime/text.h"
#include "runtime/verbs.h"

namespace {

struct AhDeleter {
  void operator()(ibv_ah* ah) const noexcept { ibv_destroy_ah(ah); }
};
using AhPtr = std::unique_ptr<ibv_ah, AhDeleter>;

// ibv_create_ah(3)
Answer CreateAh(Handles& handles, Params& params, const Reply&) {
  const auto pd = handles.Get<Pd>(params.String("pd"));
  ibv_ah_attr attr = AhAttrOf(params.Struct("attr"));
  params.End();
  const auto call = Measure([&] { return ibv_create_ah(pd->pointer, &attr); });
  AhPtr ah{call.returned};
  if (!ah) return NullResult(call);
  const auto object = handles.Add<Ah>(pd->context, ah.get());
  ah.release();
  return Result(call, object->handle, Json::object());
}

// ibv_destroy_ah(3)
Answer DestroyAh(Handles& handles, Params& params, const Reply&) {
  const auto ah = handles.GetUnused<Ah>(params.String("ah"));
  params.End();
  const auto call = Measure([&] { return ibv_destroy_ah(ah->pointer); });
  if (call.returned == 0) handles.Remove(*ah);
  return Result(call, Refuses::kWithNonzero);
}

}  // namespace

ibv_ah_attr AhAttrOf(Params params) {
  ibv_ah_attr attr{};
  attr.dlid = params.Integer<uint16_t>("dlid");
  attr.is_global = 1;
  attr.grh.dgid = GidOf(params.String("dgid"));
  attr.grh.sgid_index = params.Integer<uint8_t>("sgidIndex");
  attr.grh.hop_limit = params.Integer<uint8_t>("hopLimit");
  attr.port_num = params.Integer<uint8_t>("portNum");
  params.End();
  return attr;
}

std::vector<Verb> AhVerbs() { return {{"ibv_create_ah", CreateAh}, {"ibv_destroy_ah", DestroyAh}}; }
