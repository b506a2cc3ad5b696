// Address handles.
#include "ah_attr.h"
#include "runtime/arguments.h"
#include "runtime/result.h"
#include "server/blocking.h"

namespace {

struct AhDeleter {
  void operator()(ibv_ah* ah) const noexcept { ibv_destroy_ah(ah); }
};
using AhPtr = std::unique_ptr<ibv_ah, AhDeleter>;

const StructTable<ibv_global_route>& GlobalRouteTable() {
  static const StructTable<ibv_global_route> table{
      Gid("dgid", &ibv_global_route::dgid),
      Number("sgidIndex", &ibv_global_route::sgid_index),
      Number("hopLimit", &ibv_global_route::hop_limit),
      Optional(Number("flowLabel", &ibv_global_route::flow_label)),
      Optional(Number("trafficClass", &ibv_global_route::traffic_class)),
  };
  return table;
}

// ibv_create_ah(3)
Answer CreateAh(const Call& call, std::shared_ptr<Pd> pd, ibv_ah_attr attr) {
  const auto made = Measure([&] { return ibv_create_ah(pd->pointer, &attr); });
  AhPtr ah{made.returned};
  if (!ah) return NullResult(made);
  const auto object = call.handles.Add<Ah>(pd->context, ah.get());
  ah.release();
  return Result(made, object->handle, Json::object());
}

// ibv_destroy_ah(3)
Answer DestroyAh(const Call& call, std::shared_ptr<Ah> ah) {
  const auto destroy = [pointer = ah->pointer] { return ibv_destroy_ah(pointer); };
  return RunDestruction(call.handles, ah, Reply{}, destroy);
}

}  // namespace

const StructTable<ibv_ah_attr>& AhAttrTable() {
  static const StructTable<ibv_ah_attr> table{
      Struct("grh", &ibv_ah_attr::grh, GlobalRouteTable()),
      Number("dlid", &ibv_ah_attr::dlid),
      Flag("isGlobal", &ibv_ah_attr::is_global),
      Number("portNum", &ibv_ah_attr::port_num),
      Optional(Number("sl", &ibv_ah_attr::sl)),
      Optional(Number("srcPathBits", &ibv_ah_attr::src_path_bits)),
      Optional(Number("staticRate", &ibv_ah_attr::static_rate)),
  };
  return table;
}

std::vector<Verb> AhVerbs() {
  return {
      Describe("ibv_create_ah", CreateAh, Living<Pd>("pd"), Struct("attr", AhAttrTable())),
      Describe("ibv_destroy_ah", DestroyAh, Unused<Ah>("ah")),
  };
}
