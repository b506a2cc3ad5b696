// Devices, their ports and GIDs, and opened devices.
#include <endian.h>

#include <cstring>
#include <memory>

#include "runtime/arguments.h"
#include "runtime/refusal.h"
#include "runtime/result.h"
#include "server/blocking.h"

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
Answer GetDeviceList(const Call&) {
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
  return Result(call, "device-list", std::move(outputs));
}

// ibv_open_device(3)
Answer OpenDevice(const Call& call, std::string name) {
  int count = 0;
  const DeviceList list{ibv_get_device_list(&count)};
  ibv_device* device = nullptr;
  for (int index = 0; list && index < count; ++index) {
    if (name == ibv_get_device_name(list.get()[index])) device = list.get()[index];
  }
  if (device == nullptr) throw BadParams("there is no device \"" + name + "\"");
  const auto made = Measure([&] { return ibv_open_device(device); });
  ContextPtr context{made.returned};
  if (!context) return NullResult(made);
  Json outputs = Json::object();
  outputs["numCompVectors"] = context->num_comp_vectors;
  const auto object = call.handles.Add<Context>(context.get());
  context.release();
  return Result(made, object->handle, std::move(outputs));
}

// ibv_close_device(3). Objects of the context that still exist are lost with it.
Answer CloseDevice(const Call& call, std::shared_ptr<Context> context) {
  call.handles.RequireNoCallsInside(*context);
  const auto close = [pointer = context->pointer] { return ibv_close_device(pointer); };
  const Answer closed = RunDestruction(call.handles, context, Reply{}, close);
  if ((*closed)["returned"] == 0) call.handles.Orphan(*context);
  return closed;
}

// The text of a GUID, which is in network byte order.
Member<ibv_device_attr> Guid(const char* name, __be64 ibv_device_attr::*member) {
  return {name, "gid", nullptr, [=](const ibv_device_attr& attr) { return GuidText(be64toh(attr.*member)); }};
}

Member<ibv_device_attr> FirmwareVersion(const char* name) {
  return {name, "text", nullptr, [](const ibv_device_attr& attr) {
            return std::string(attr.fw_ver, strnlen(attr.fw_ver, sizeof attr.fw_ver));
          }};
}

const StructTable<ibv_device_attr>& DeviceAttrTable() {
  using Attr = ibv_device_attr;
  static const StructTable<Attr> table{
      FirmwareVersion("fwVer"),
      Guid("nodeGuid", &Attr::node_guid),
      Number("vendorId", &Attr::vendor_id),
      Number("vendorPartId", &Attr::vendor_part_id),
      Number("hwVer", &Attr::hw_ver),
      Number("maxQp", &Attr::max_qp),
      Number("maxQpWr", &Attr::max_qp_wr),
      Bits("deviceCapFlags", &Attr::device_cap_flags, kDeviceCapFlags),
      Number("maxSge", &Attr::max_sge),
      Number("maxSgeRd", &Attr::max_sge_rd),
      Number("maxCq", &Attr::max_cq),
      Number("maxCqe", &Attr::max_cqe),
      Number("maxMr", &Attr::max_mr),
      Number("maxPd", &Attr::max_pd),
      Enumerator("atomicCap", &Attr::atomic_cap, kAtomicCap),
      Number("maxSrq", &Attr::max_srq),
      Number("maxSrqSge", &Attr::max_srq_sge),
      Number("physPortCnt", &Attr::phys_port_cnt),
  };
  return table;
}

// ibv_query_device(3)
Answer QueryDevice(const Call&, std::shared_ptr<Context> context) {
  ibv_device_attr attr{};
  const auto queried = Measure([&] { return ibv_query_device(context->pointer, &attr); });
  if (queried.returned != 0) return Result(queried, Refuses::kWithNonzero);
  return Result(queried, Refuses::kWithNonzero, DeviceAttrTable().Give(attr));
}

// ibv_query_device_ex(3), as far as it reports more than ibv_query_device(3)
Answer QueryDeviceEx(const Call&, std::shared_ptr<Context> context) {
  ibv_device_attr_ex attr{};
  const auto queried = Measure([&] { return ibv_query_device_ex(context->pointer, nullptr, &attr); });
  Json outputs = Json::object();
  if (queried.returned != 0) return Result(queried, Refuses::kWithNonzero, std::move(outputs));
  outputs["completionTimestampMask"] = WordText(attr.completion_timestamp_mask);
  outputs["maxCqCount"] = attr.cq_mod_caps.max_cq_count;
  outputs["maxCqPeriod"] = attr.cq_mod_caps.max_cq_period;
  return Result(queried, Refuses::kWithNonzero, std::move(outputs));
}

const StructTable<ibv_port_attr>& PortAttrTable() {
  using Attr = ibv_port_attr;
  static const StructTable<Attr> table{
      Enumerator("state", &Attr::state, kPortState),
      Enumerator("maxMtu", &Attr::max_mtu, kMtu),
      Enumerator("activeMtu", &Attr::active_mtu, kMtu),
      Number("gidTblLen", &Attr::gid_tbl_len),
      Number("pkeyTblLen", &Attr::pkey_tbl_len),
      Number("lid", &Attr::lid),
      Enumerator("linkLayer", &Attr::link_layer, kLinkLayer),
  };
  return table;
}

// ibv_query_port(3)
Answer QueryPort(const Call&, std::shared_ptr<Context> context, uint8_t port_num) {
  ibv_port_attr attr{};
  const auto queried = Measure([&] { return ibv_query_port(context->pointer, port_num, &attr); });
  if (queried.returned != 0) return Result(queried, Refuses::kWithNonzero);
  return Result(queried, Refuses::kWithNonzero, PortAttrTable().Give(attr));
}

// ibv_query_gid(3)
Answer QueryGid(const Call&, std::shared_ptr<Context> context, uint8_t port_num, int index) {
  ibv_gid gid{};
  const auto queried = Measure([&] { return ibv_query_gid(context->pointer, port_num, index, &gid); });
  Json outputs = Json::object();
  if (queried.returned == 0) outputs["gid"] = GidText(gid);
  return Result(queried, Refuses::kWithNonzero, std::move(outputs));
}

// ibv_query_pkey(3)
Answer QueryPkey(const Call&, std::shared_ptr<Context> context, uint8_t port_num, int index) {
  __be16 pkey = 0;
  const auto queried = Measure([&] { return ibv_query_pkey(context->pointer, port_num, index, &pkey); });
  Json outputs = Json::object();
  if (queried.returned == 0) outputs["pkey"] = ntohs(pkey);
  return Result(queried, Refuses::kWithNonzero, std::move(outputs));
}

}  // namespace

std::vector<Verb> DeviceVerbs() {
  const Json device{{"name", "text"}, {"nodeType", EnumType(kNodeType)}, {"transportType", EnumType(kTransportType)}};
  return {
      Describe("ibv_get_device_list", GetDeviceList)
          .Filling({{"numDevices", "i32"}, {"devices", Json::array({device})}}),
      Describe("ibv_open_device", OpenDevice, Text("device")).Filling({{"numCompVectors", "i32"}}),
      Describe("ibv_close_device", CloseDevice, Unused<Context>("context")),
      Describe("ibv_query_device", QueryDevice, Living<Context>("context")).Filling(DeviceAttrTable().Type()),
      Describe("ibv_query_device_ex", QueryDeviceEx, Living<Context>("context"))
          .Filling({{"completionTimestampMask", "u64"}, {"maxCqCount", "u16"}, {"maxCqPeriod", "u16"}}),
      Describe("ibv_query_port", QueryPort, Living<Context>("context"), Integer<uint8_t>("portNum"))
          .Filling(PortAttrTable().Type()),
      Describe("ibv_query_gid", QueryGid, Living<Context>("context"), Integer<uint8_t>("portNum"),
               Integer<int>("index"))
          .Filling({{"gid", "gid"}}),
      Describe("ibv_query_pkey", QueryPkey, Living<Context>("context"), Integer<uint8_t>("portNum"),
               Integer<int>("index"))
          .Filling({{"pkey", "u16"}}),
  };
}
