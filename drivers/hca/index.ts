import { readdirSync } from 'node:fs';
import { UsageError, type CreateDriver, type Limits } from '../contract';
import { NativeBackend } from '../native/client';
import { LocalCarrier } from '../native/local-carrier';
import { VerbsDriver } from '../verbs-driver';

/** A device carries out loopback work in far less; the rest is for a busy machine. */
const limits: Limits = { eventMs: 10_000, quietMs: 100 };

/** Any device that libibverbs lists on this machine. */
export const createDriver: CreateDriver = async ({ ibDev, ibPort = 1, gidIndex = 0, mtu, kernel }) => {
  if (kernel !== undefined) throw new UsageError('--kernel goes with --driver soft-roce', 'leave it out');
  if (ibDev === undefined) throw new UsageError('--driver hca needs a device', `name it with -d; ${knownDevices()}`);
  const options = { device: ibDev, portNum: ibPort, gidIndex, limits };
  return new VerbsDriver(await NativeBackend.start(new LocalCarrier(), options), limits, mtu);
};

function knownDevices(): string {
  try {
    return `this machine has ${readdirSync('/sys/class/infiniband').join(', ') || 'none'}`;
  } catch {
    return 'this machine has none';
  }
}
