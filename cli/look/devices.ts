import { printableJson } from '../../catalog/plain-text';
import { devicesText, diagnosedDevices } from '../doctor/doctor-devices';

/**
 * Lists the RDMA devices of this machine with the ports, their states and GIDs, and what to pass to `verbspec run` for each.
 *
 * @returns the exit code: 3 if there is none
 */
export function devices(json: boolean): number {
  const found = diagnosedDevices();
  if (json) process.stdout.write(`${printableJson(found, 2)}\n`);
  else if (found.length > 0) process.stdout.write(`${devicesText(found, process.stdout).join('\n')}\n`);
  else
    process.stderr.write(
      'verbspec: there is no RDMA device in /sys/class/infiniband; `verbspec doctor hca` says why\n',
    );
  return found.length > 0 ? 0 : 3;
}
