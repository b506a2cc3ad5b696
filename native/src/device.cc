// Devices, their ports and GIDs, and opened devices.
#include <endian.h>

#include <memory>

#include "result.h"
#include "refusal.h"
#include "text.h"
#include "verbs.h"

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
Napi::Value GetDeviceList(Napi::Env env, Handles&, Params& params) {
  params.End();
  int count = 0;
  const auto call = Measure([&] { return ibv_get_device_list(&count); });
  const DeviceList list{call.returned};
  if (!list) return NullResult(env, call);
  Napi::Array devices = Napi::Array::New(env);
  for (int index = 0; index < count; ++index) {
    const ibv_device& device = *list.get()[index];
    Napi::Object entry = Napi::Object::New(env);
    entry.Set("name", ibv_get_device_name(list.get()[index]));
    entry.Set("nodeType", kNodeType.NameOf(device.node_type));
    entry.Set("transportType", kTransportType.NameOf(device.transport_type));
    devices.Set(static_cast<uint32_t>(index), entry);
  }
  Napi::Object outputs = Napi::Object::New(env);
  outputs.Set("numDevices", count);
  outputs.Set("devices", devices);
  return Result(env, call, "device-list", outputs);
}

// ibv_open_device(3)
Napi::Value OpenDevice(Napi::Env env, Handles& handles, Params& params) {
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
  if (!context) return NullResult(env, call);
  Napi::Object outputs = Napi::Object::New(env);
  outputs.Set("numCompVectors", context->num_comp_vectors);
  const auto object = handles.Add<Context>(context.get());
  context.release();
  return Result(env, call, object->handle, outputs);
}

// ibv_close_device(3). Objects of the context that still exist are lost with it.
Napi::Value CloseDevice(Napi::Env env, Handles& handles, Params& params) {
  const auto context = handles.GetUnused<Context>(params.String("context"));
  params.End();
  handles.RequireNoCallsInside(*context);
  const auto call = Measure([&] { return ibv_close_device(context->pointer); });
  if (call.returned == 0) {
    handles.Orphan(*context);
    handles.Remove(*context);
  }
  return Result(env, call, Refuses::kWithNonzero);
}

// ibv_query_device(3)
Napi::Value QueryDevice(Napi::Env env, Handles& handles, Params& params) {
  const auto context = handles.Get<Context>(params.String("context"));
  params.End();
  ibv_device_attr attr{};
  const auto call = Measure([&] { return ibv_query_device(context->pointer, &attr); });
  Napi::Object outputs = Napi::Object::New(env);
  if (call.returned != 0) return Result(env, call, Refuses::kWithNonzero, outputs);
  attr.fw_ver[sizeof attr.fw_ver - 1] = '\0';
  outputs.Set("fwVer", attr.fw_ver);
  outputs.Set("nodeGuid", GuidText(be64toh(attr.node_guid)));
  outputs.Set("vendorId", attr.vendor_id);
  outputs.Set("vendorPartId", attr.vendor_part_id);
  outputs.Set("hwVer", attr.hw_ver);
  outputs.Set("maxQp", attr.max_qp);
  outputs.Set("maxQpWr", attr.max_qp_wr);
  outputs.Set("maxSge", attr.max_sge);
  outputs.Set("maxCq", attr.max_cq);
  outputs.Set("maxCqe", attr.max_cqe);
  outputs.Set("maxMr", attr.max_mr);
  outputs.Set("maxPd", attr.max_pd);
  outputs.Set("deviceCapFlags", Strings(env, kDeviceCapFlags.NamesOf(attr.device_cap_flags)));
  outputs.Set("atomicCap", kAtomicCap.NameOf(attr.atomic_cap));
  outputs.Set("maxSrq", attr.max_srq);
  outputs.Set("physPortCnt", attr.phys_port_cnt);
  return Result(env, call, Refuses::kWithNonzero, outputs);
}

// ibv_query_device_ex(3), as far as it tells more than ibv_query_device(3)
Napi::Value QueryDeviceEx(Napi::Env env, Handles& handles, Params& params) {
  const auto context = handles.Get<Context>(params.String("context"));
  params.End();
  ibv_device_attr_ex attr{};
  const auto call = Measure([&] { return ibv_query_device_ex(context->pointer, nullptr, &attr); });
  Napi::Object outputs = Napi::Object::New(env);
  if (call.returned != 0) return Result(env, call, Refuses::kWithNonzero, outputs);
  outputs.Set("completionTimestampMask", WordText(attr.completion_timestamp_mask));
  outputs.Set("maxCqCount", attr.cq_mod_caps.max_cq_count);
  outputs.Set("maxCqPeriod", attr.cq_mod_caps.max_cq_period);
  return Result(env, call, Refuses::kWithNonzero, outputs);
}

// Bytes of an MTU; 0 for a value that the header does not name.
int MtuBytes(ibv_mtu mtu) { return mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096 ? 128 << mtu : 0; }

// ibv_query_port(3)
Napi::Value QueryPort(Napi::Env env, Handles& handles, Params& params) {
  const auto context = handles.Get<Context>(params.String("context"));
  const auto port_num = params.Integer<uint8_t>("portNum");
  params.End();
  ibv_port_attr attr{};
  const auto call = Measure([&] { return ibv_query_port(context->pointer, port_num, &attr); });
  Napi::Object outputs = Napi::Object::New(env);
  if (call.returned != 0) return Result(env, call, Refuses::kWithNonzero, outputs);
  outputs.Set("state", kPortState.NameOf(attr.state));
  outputs.Set("maxMtu", MtuBytes(attr.max_mtu));
  outputs.Set("activeMtu", MtuBytes(attr.active_mtu));
  outputs.Set("gidTblLen", attr.gid_tbl_len);
  outputs.Set("pkeyTblLen", attr.pkey_tbl_len);
  outputs.Set("lid", attr.lid);
  outputs.Set("linkLayer", kLinkLayer.NameOf(attr.link_layer));
  return Result(env, call, Refuses::kWithNonzero, outputs);
}

// ibv_query_gid(3)
Napi::Value QueryGid(Napi::Env env, Handles& handles, Params& params) {
  const auto context = handles.Get<Context>(params.String("context"));
  const auto port_num = params.Integer<uint8_t>("portNum");
  const auto index = params.Integer<int>("index");
  params.End();
  ibv_gid gid{};
  const auto call = Measure([&] { return ibv_query_gid(context->pointer, port_num, index, &gid); });
  Napi::Object outputs = Napi::Object::New(env);
  if (call.returned == 0) outputs.Set("gid", GidText(gid));
  return Result(env, call, Refuses::kWithNonzero, outputs);
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
