import { constants } from 'node:fs';
import { join } from 'node:path';
import { asRoot, checkOf, type Check } from '../support/checks';
import { mayAccess, namesIn } from '../support/files';
import { moduleCheck, nativeChecks } from '../native/client/checks';
import { rdmaDevices, type RdmaDevice, type RdmaPort } from '../native/host/devices';
import { lockCheck } from '../native/host/memory-lock';
import { memoryCheck } from './free-memory';

const deviceFiles = '/dev/infiniband';

/** What it takes to run on an RDMA device of this machine. */
export function checks(devices = rdmaDevices()): Check[] {
  const names = devices.map(({ name }) => name);
  const remedy = 'load the driver of your device, or use --driver soft-roce';
  const modules = 'install the RDMA modules of your kernel: linux-modules-extra-$(uname -r) or kernel-modules-extra';
  return [
    ...nativeChecks(),
    moduleCheck({ name: 'ib_core', remedy: modules }),
    moduleCheck({ name: 'ib_uverbs', remedy: modules }),
    checkOf('RDMA device', names.length > 0, names.join(', ') || 'none in /sys/class/infiniband', remedy),
    portCheck(devices),
    accessCheck(),
    lockCheck(),
    memoryCheck(),
  ];
}

/** One active port with a GID is enough. */
export function portCheck(devices: readonly RdmaDevice[]): Check {
  const ports = devices.flatMap(({ name, ports }) => ports.map((port) => ({ ...port, name: `${name}/${port.port}` })));
  const usable = ports.filter(({ state, gids }) => state === 'ACTIVE' && gids.length > 0);
  const found = usable.length > 0 ? usable : ports;
  const words = found.map(({ name, state, gids }) => `${name} ${state}${gids.length === 0 ? ' without a GID' : ''}`);
  return checkOf('active port', usable.length > 0, words.join(', ') || 'no port', remedyFor(ports));
}

function remedyFor(ports: readonly RdmaPort[]): string {
  const netdev = ports.find((port) => port.netdev !== '')?.netdev ?? 'INTERFACE';
  if (ports.length === 0) return 'load the driver of your device, or use --driver soft-roce';
  if (ports.some(({ state }) => state === 'ACTIVE')) {
    return `give the network interface of the port an address: ${asRoot('ip address add ADDRESS/PREFIX dev INTERFACE')}`;
  }
  return ports.some(({ linkLayer }) => linkLayer === 'InfiniBand')
    ? 'connect the port and see that a subnet manager runs: ibstat, opensm'
    : `connect the port and set its network interface up: ${asRoot(`ip link set ${netdev} up`)}`;
}

function accessCheck(): Check {
  const files = namesIn(deviceFiles).filter((name) => name.startsWith('uverbs'));
  const usable = files.filter((name) => mayAccess(join(deviceFiles, name), constants.R_OK | constants.W_OK));
  const found = `${usable.length} of ${files.length} uverbs files`;
  const name = 'access to the device';
  return files.length === 0
    ? checkOf(name, false, `no uverbs file in ${deviceFiles}`, asRoot('modprobe ib_uverbs'))
    : checkOf(name, usable.length === files.length, found, asRoot(`chmod a+rw ${join(deviceFiles, 'uverbs*')}`));
}
