import { enumeration, flags, gid, hex32, i32, list, object, open, struct, text, u16, u32, u64, u8 } from './idl';
import type { Contract } from './kinds';
import { verb } from './verb';

export const nodeType = enumeration('ibv_node_type', [
  'IBV_NODE_UNKNOWN',
  'IBV_NODE_CA',
  'IBV_NODE_SWITCH',
  'IBV_NODE_ROUTER',
  'IBV_NODE_RNIC',
  'IBV_NODE_USNIC',
  'IBV_NODE_USNIC_UDP',
  'IBV_NODE_UNSPECIFIED',
]);

const transportType = enumeration('ibv_transport_type', [
  'IBV_TRANSPORT_UNKNOWN',
  'IBV_TRANSPORT_IB',
  'IBV_TRANSPORT_IWARP',
  'IBV_TRANSPORT_USNIC',
  'IBV_TRANSPORT_USNIC_UDP',
  'IBV_TRANSPORT_UNSPECIFIED',
]);

export const portState = enumeration('ibv_port_state', [
  'IBV_PORT_NOP',
  'IBV_PORT_DOWN',
  'IBV_PORT_INIT',
  'IBV_PORT_ARMED',
  'IBV_PORT_ACTIVE',
  'IBV_PORT_ACTIVE_DEFER',
]);

const linkLayer = enumeration('link_layer', [
  'IBV_LINK_LAYER_UNSPECIFIED',
  'IBV_LINK_LAYER_INFINIBAND',
  'IBV_LINK_LAYER_ETHERNET',
]);

export const mtu = enumeration('ibv_mtu', [
  'IBV_MTU_256',
  'IBV_MTU_512',
  'IBV_MTU_1024',
  'IBV_MTU_2048',
  'IBV_MTU_4096',
]);
export type Mtu = Contract<typeof mtu>;

/** The enumerator of an MTU of so many bytes, which has to be one of those that there are. */
export const mtuOf = (bytes: number): Mtu => `IBV_MTU_${bytes}` as Mtu;
/** Bytes of an MTU; 0 for a value that the header does not name. */
export const mtuBytes = (name: string): number => Number(/^IBV_MTU_(\d+)$/.exec(name)?.[1] ?? 0);

const atomicCap = enumeration('ibv_atomic_cap', ['IBV_ATOMIC_NONE', 'IBV_ATOMIC_HCA', 'IBV_ATOMIC_GLOB']);

const deviceCapFlags = flags('ibv_device_cap_flags', [
  'IBV_DEVICE_RESIZE_MAX_WR',
  'IBV_DEVICE_BAD_PKEY_CNTR',
  'IBV_DEVICE_BAD_QKEY_CNTR',
  'IBV_DEVICE_RAW_MULTI',
  'IBV_DEVICE_AUTO_PATH_MIG',
  'IBV_DEVICE_CHANGE_PHY_PORT',
  'IBV_DEVICE_UD_AV_PORT_ENFORCE',
  'IBV_DEVICE_CURR_QP_STATE_MOD',
  'IBV_DEVICE_SHUTDOWN_PORT',
  'IBV_DEVICE_INIT_TYPE',
  'IBV_DEVICE_PORT_ACTIVE_EVENT',
  'IBV_DEVICE_SYS_IMAGE_GUID',
  'IBV_DEVICE_RC_RNR_NAK_GEN',
  'IBV_DEVICE_SRQ_RESIZE',
  'IBV_DEVICE_N_NOTIFY_CQ',
  'IBV_DEVICE_MEM_WINDOW',
  'IBV_DEVICE_UD_IP_CSUM',
  'IBV_DEVICE_XRC',
  'IBV_DEVICE_MEM_MGT_EXTENSIONS',
  'IBV_DEVICE_MEM_WINDOW_TYPE_2A',
  'IBV_DEVICE_MEM_WINDOW_TYPE_2B',
  'IBV_DEVICE_RC_IP_CSUM',
  'IBV_DEVICE_RAW_IP_CSUM',
  'IBV_DEVICE_MANAGED_FLOW_STEERING',
]);

/** struct ibv_device, as far as functions report it. */
const device = struct('ibv_device', { nodeType: open(nodeType), transportType: open(transportType), name: text });

/** struct ibv_device_attr of ibv_query_device(3). */
export const deviceAttr = struct('ibv_device_attr', {
  fwVer: text,
  nodeGuid: gid,
  vendorId: hex32,
  vendorPartId: hex32,
  hwVer: u32,
  maxQp: i32,
  maxQpWr: i32,
  deviceCapFlags: open(deviceCapFlags),
  maxSge: i32,
  /** Entries of the scatter/gather list of an RDMA read. */
  maxSgeRd: i32,
  maxCq: i32,
  /** Most entries of a CQ. */
  maxCqe: i32,
  maxMr: i32,
  maxPd: i32,
  atomicCap: open(atomicCap),
  maxSrq: i32,
  maxSrqSge: i32,
  physPortCnt: u8,
});
export interface DeviceAttr extends Contract<typeof deviceAttr> {}

/** struct ibv_port_attr of ibv_query_port(3). */
export const portAttr = struct('ibv_port_attr', {
  state: open(portState),
  maxMtu: open(mtu),
  activeMtu: open(mtu),
  gidTblLen: i32,
  pkeyTblLen: u16,
  lid: u16,
  linkLayer: open(linkLayer),
});
export interface PortAttr extends Contract<typeof portAttr> {}

const context = object('context');

/** Devices, their ports and GIDs, and opened devices. */
export const deviceVerbs = {
  /** The RDMA devices of the machine: ibv_get_device_list(3). The list is freed again. */
  getDeviceList: verb({
    c: 'ibv_get_device_list',
    page: 'ibv_get_device_list(3)',
    fails: 'null',
    in: [],
    out: { numDevices: i32, devices: list(device) },
    internal: true,
  }),
  /**
   * Opens the device of that name, which has to be that of this run: ibv_open_device(3).
   */
  openDevice: verb({
    c: 'ibv_open_device',
    page: 'ibv_open_device(3)',
    fails: 'null',
    makes: 'context',
    in: [{ device: text }],
  }),
  /** ibv_close_device(3). */
  closeDevice: verb({
    c: 'ibv_close_device',
    page: 'ibv_open_device(3)',
    fails: 'errno',
    ends: 'context',
    in: [{ context }],
  }),
  /** ibv_query_device(3). */
  queryDevice: verb({
    c: 'ibv_query_device',
    page: 'ibv_query_device(3)',
    fails: 'errno',
    in: [{ context }],
    out: deviceAttr.members,
    fills: ['deviceAttr'],
  }),
  /** As far as it reports more than ibv_query_device(3): ibv_query_device_ex(3). */
  queryDeviceEx: verb({
    c: 'ibv_query_device_ex',
    page: 'ibv_query_device_ex(3)',
    fails: 'errno',
    in: [{ context }],
    out: { completionTimestampMask: u64, maxCqCount: u16, maxCqPeriod: u16 },
    fills: ['attr'],
  }),
  /** ibv_query_port(3). */
  queryPort: verb({
    c: 'ibv_query_port',
    page: 'ibv_query_port(3)',
    fails: 'errno',
    in: [{ context }, { portNum: u8 }],
    out: portAttr.members,
    fills: ['portAttr'],
  }),
  /** ibv_query_gid(3). */
  queryGid: verb({
    c: 'ibv_query_gid',
    page: 'ibv_query_gid(3)',
    fails: 'errno',
    in: [{ context }, { portNum: u8 }, { index: i32 }],
    out: { gid },
    fills: ['gid'],
    internal: true,
  }),
  /** A P_Key, as a number: ibv_query_pkey(3). */
  queryPkey: verb({
    c: 'ibv_query_pkey',
    page: 'ibv_query_pkey(3)',
    fails: 'errno',
    in: [{ context }, { portNum: u8 }, { index: i32 }],
    out: { pkey: u16 },
    fills: ['pkey'],
    internal: true,
  }),
};
