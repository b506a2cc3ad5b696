// Devices, their ports and GIDs, and opened devices.
#include <endian.h>

#include <memory>

#include "runtime/result.h"
#include "runtime/refusal.h"
#include "runtime/text.h"
#include "runtime/verbs.h"

namespace {

struct DeviceListDeleter {
  void operator()(ibv_device** list) const noexcept { ibv_free_device_list(list); }
};
using DeviceList = std::unique_ptr<ibv_device*, DeviceListDeleter>;

struct ContextDeleter {
  void operator()(ibv_context* context) const noexcept { ibv_close_device(context); }
};
using ContextPtr = std::unique_ptr<ibv_context, ContextDeleter>;

// ibv_get_device_list(3). The list is freed again: what it said travels as outputs.
Answer GetDeviceList(Handles&, Params& params, const Reply&) {
  params.End();
  int count = 0;
  const auto call = Measure([&] { return ibv_get_device_list(&count); });
  const DeviceList list{call.returned};
  if (!list) return NullResult(call);
  Json devices = Json::array();
  for (int index = 0; index < count; ++index) {
    const ibv_device& device = *list.get()[index];
    Json entry = Json::object();
    entry["name"] = ibv_get_device_name(list.get()[index]);
    entry["nodeType"] = kNodeType.NameOf(device.node_type);
    entry["transportType"] = kTransportType.NameOf(device.transport_type);
    devices.push_back(std::move(entry));
  }
  Json outputs = Json::object();
  outputs["numDevices"] = count;
  outputs["devices"] = devices;
  return Result(call, "device-list", outputs);
}

// ibv_open_device(3)
Answer OpenDevice(Handles& handles, Params& params, const Reply&) {
  const std::string name = params.String("device");
  params.End();
  int count = 0;
  const DeviceList list{ibv_get_device_list(&count)};
  ibv_device* device = nullptr;
  for (int index = 0; list && index < count; ++index) {
    if (name == ibv_get_device_name(list.get()[index])) device = list.get()[index];
  }
  if (device == nullptr) throw BadParams("there is no device \"" + name + "\"");
  const auto call = Measure([&] { return ibv_open_device(device); });
  ContextPtr context{call.returned};
  if (!context) return NullResult(call);
  Json outputs = Json::object();
  outputs["numCompVectors"] = context->num_comp_vectors;
  const auto object = handles.Add<Context>(context.get());
  context.release();
  return Result(call, object->handle, outputs);
}

// ibv_close_device(3). Objects of the context that still exist are lost with it.
Answer CloseDevice(Handles& handles, Params& params, const Reply&) {
  const auto context = handles.GetUnused<Context>(params.String("context"));
  params.End();
  handles.RequireNoCallsInside(*context);
  const auto call = Measure([&] { return ibv_close_device(context->pointer); });
  if (call.returned == 0) {
    handles.Orphan(*context);
    handles.Remove(*context);
  }
  return Result(call, Refuses::kWithNonzero);
}

// ibv_query_device(3)
Answer QueryDevice(Handles& handles, Params& params, const Reply&) {
  const auto context = handles.Get<Context>(params.String("context"));
  params.End();
  ibv_device_attr attr{};
  const auto call = Measure([&] { return ibv_query_device(context->pointer, &attr); });
  Json outputs = Json::object();
  if (call.returned != 0) return Result(call, Refuses::kWithNonzero, outputs);
  attr.fw_ver[sizeof attr.fw_ver - 1] = '\0';
  outputs["fwVer"] = attr.fw_ver;
  outputs["nodeGuid"] = GuidText(be64toh(attr.node_guid));
  outputs["vendorId"] = attr.vendor_id;
  outputs["vendorPartId"] = attr.vendor_part_id;
  outputs["hwVer"] = attr.hw_ver;
  outputs["maxQp"] = attr.max_qp;
  outputs["maxQpWr"] = attr.max_qp_wr;
  outputs["maxSge"] = attr.max_sge;
  outputs["maxCq"] = attr.max_cq;
  outputs["maxCqe"] = attr.max_cqe;
  outputs["maxMr"] = attr.max_mr;
  outputs["maxPd"] = attr.max_pd;
  outputs["deviceCapFlags"] = kDeviceCapFlags.NamesOf(attr.device_cap_flags);
  outputs["atomicCap"] = kAtomicCap.NameOf(attr.atomic_cap);
  outputs["maxSrq"] = attr.max_srq;
  outputs["physPortCnt"] = attr.phys_port_cnt;
  return Result(call, Refuses::kWithNonzero, outputs);
}

// ibv_query_device_ex(3), as far as it tells more than ibv_query_device(3)
Answer QueryDeviceEx(Handles& handles, Params& params, const Reply&) {
  const auto context = handles.Get<Context>(params.String("context"));
  params.End();
  ibv_device_attr_ex attr{};
  const auto call = Measure([&] { return ibv_query_device_ex(context->pointer, nullptr, &attr); });
  Json outputs = Json::object();
  if (call.returned != 0) return Result(call, Refuses::kWithNonzero, outputs);
  outputs["completionTimestampMask"] = WordText(attr.completion_timestamp_mask);
  outputs["maxCqCount"] = attr.cq_mod_caps.max_cq_count;
  outputs["maxCqPeriod"] = attr.cq_mod_caps.max_cq_period;
  return Result(call, Refuses::kWithNonzero, outputs);
}

// Bytes of an MTU; 0 for a value that the header does not name.
int MtuBytes(ibv_mtu mtu) { return mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096 ? 128 << mtu : 0; }

// ibv_query_port(3)
Answer QueryPort(Handles& handles, Params& params, const Reply&) {
  const auto context = handles.Get<Context>(params.String("context"));
  const auto port_num = params.Integer<uint8_t>("portNum");
  params.End();
  ibv_port_attr attr{};
  const auto call = Measure([&] { return ibv_query_port(context->pointer, port_num, &attr); });
  Json outputs = Json::object();
  if (call.returned != 0) return Result(call, Refuses::kWithNonzero, outputs);
  outputs["state"] = kPortState.NameOf(attr.state);
  outputs["maxMtu"] = MtuBytes(attr.max_mtu);
  outputs["activeMtu"] = MtuBytes(attr.active_mtu);
  outputs["gidTblLen"] = attr.gid_tbl_len;
  outputs["pkeyTblLen"] = attr.pkey_tbl_len;
  outputs["lid"] = attr.lid;
  outputs["linkLayer"] = kLinkLayer.NameOf(attr.link_layer);
  return Result(call, Refuses::kWithNonzero, outputs);
}

// ibv_query_gid(3)
Answer QueryGid(Handles& handles, Params& params, const Reply&) {
  const auto context = handles.Get<Context>(params.String("context"));
  const auto port_num = params.Integer<uint8_t>("portNum");
  const auto index = params.Integer<int>("index");
  params.End();
  ibv_gid gid{};
  const auto call = Measure([&] { return ibv_query_gid(context->pointer, port_num, index, &gid); });
  Json outputs = Json::object();
  if (call.returned == 0) outputs["gid"] = GidText(gid);
  return Result(call, Refuses::kWithNonzero, outputs);
}

}  // namespace

std::vector<Verb> DeviceVerbs() {
  return {
      {"ibv_get_device_list", GetDeviceList},
      {"ibv_open_device", OpenDevice},
      {"ibv_close_device", CloseDevice},
      {"ibv_query_device", QueryDevice},
      {"ibv_query_device_ex", QueryDeviceEx},
      {"ibv_query_port", QueryPort},
      {"ibv_query_gid", QueryGid},
  };
}
