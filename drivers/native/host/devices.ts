import { deviceFolder, portFolder, Sysfs } from '../linux/sysfs';

/** An RDMA device as the kernel shows it. */
export interface RdmaDevice {
  readonly name: string;
  readonly ports: readonly RdmaPort[];
}

export interface RdmaPort {
  readonly port: number;
  /** `ACTIVE`, `DOWN`, … */
  readonly state: string;
  readonly linkLayer: string;
  /** Network interface of its first GID, or an empty string. */
  readonly netdev: string;
  readonly gids: readonly RdmaGid[];
  /** The index of the GID to choose, where there is one. */
  readonly gidIndex?: number;
}

export interface RdmaGid {
  readonly index: number;
  readonly gid: string;
  /** `IB/RoCE v1` or `RoCE v2`. */
  readonly type: string;
  readonly netdev: string;
}

const emptyGid = /^[0:]*$/;
const mappedIpv4 = /^(0000:){5}ffff:/;

/** The RDMA devices of this machine. */
export function rdmaDevices(sysfs = new Sysfs()): RdmaDevice[] {
  return sysfs.names('sys/class/infiniband').map((name) => ({
    name,
    ports: numbersIn(sysfs, deviceFolder(name), 'ports').map((port) => portOf(sysfs, name, port)),
  }));
}

function portOf(sysfs: Sysfs, device: string, port: number): RdmaPort {
  const folder = portFolder(device, port);
  const gids = numbersIn(sysfs, folder, 'gids').flatMap((index) => {
    const gid = sysfs.read(folder, 'gids', String(index));
    if (emptyGid.test(gid)) return [];
    return [{ index, gid, type: sysfs.gidTypeOf(device, port, index), netdev: sysfs.netdevOf(device, port, index) }];
  });
  const gidIndex = bestOf(gids)?.index;
  return {
    port,
    state: sysfs.read(folder, 'state').replace(/^\d+:\s*/, ''),
    linkLayer: sysfs.read(folder, 'link_layer'),
    netdev: gids.find(({ netdev }) => netdev !== '')?.netdev ?? '',
    gids,
    ...(gidIndex !== undefined && { gidIndex }),
  };
}

/** Of RoCE v2, which routers know, that of an IPv4 address; it stays while link-local ones come and go. */
function bestOf(gids: readonly RdmaGid[]): RdmaGid | undefined {
  const second = gids.filter(({ type }) => type === 'RoCE v2');
  return second.find(({ gid }) => mappedIpv4.test(gid)) ?? second[0] ?? gids[0];
}

function numbersIn(sysfs: Sysfs, ...folder: readonly string[]): number[] {
  return sysfs
    .names(...folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((one, other) => one - other);
}
