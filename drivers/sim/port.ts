import { simulatedDut } from './dut';

/** The one port of the simulated device; what it sends arrives at itself: ibv_query_port(3). */
export class Port {
  readonly portNum = simulatedDut.port.portNum;
  readonly gid = bytesOfGid(simulatedDut.port.gid);
  /** Whether its link is up. */
  isUp = true;
}

/** A GID as 16 bytes. */
function bytesOfGid(gid: string): Buffer {
  return Buffer.from(gid.replaceAll(':', ''), 'hex');
}
