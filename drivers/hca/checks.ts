import { constants } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../checks';
import { mayAccess, namesIn } from '../files';
import { nativeChecks } from '../native/checks';

const deviceFiles = '/dev/infiniband';

/** What it takes to run on an RDMA device of this machine. */
export function checks(): Check[] {
  const devices = namesIn('/sys/class/infiniband');
  const files = namesIn(deviceFiles).filter((name) => name.startsWith('uverbs'));
  const usable = files.filter((name) => mayAccess(join(deviceFiles, name), constants.R_OK | constants.W_OK));
  return [
    ...nativeChecks(),
    {
      what: 'RDMA device',
      ok: devices.length > 0,
      found: devices.join(', ') || 'none in /sys/class/infiniband',
      remedy: 'load the driver of your device, or use --driver soft-roce',
    },
    {
      what: 'access to the device',
      ok: usable.length > 0 && usable.length === files.length,
      found:
        files.length === 0 ? `no uverbs file in ${deviceFiles}` : `${usable.length} of ${files.length} uverbs files`,
      remedy: files.length === 0 ? 'modprobe ib_uverbs' : `sudo chmod a+rw ${join(deviceFiles, 'uverbs*')}`,
    },
  ];
}
