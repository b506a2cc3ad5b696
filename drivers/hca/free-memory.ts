import { freemem } from 'node:os';
import { checkOf, optional, type Check } from '../support/checks';

const gibibyte = 2 ** 30;

/**
 * What a provider may take for a CQ of more entries than the device has: some map and clear its whole buffer before the
 * kernel refuses it, 2^23 entries of 128 bytes on a ConnectX.
 */
const largestCq = 2 * gibibyte;

/** Too little of it costs some scenarios their process and not the run. */
export function memoryCheck(available = availableMemory()): Check {
  const found = `${(available / gibibyte).toFixed(1)} GiB available`;
  const remedy = `give the process ${largestCq / gibibyte} GiB: some providers set up a CQ that is too large before it is refused`;
  return optional(checkOf('memory for the largest CQ', available >= largestCq, found, remedy));
}

/** Bytes, for this process. */
function availableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, freemem()) : freemem();
}
