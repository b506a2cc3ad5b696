import { simulatedDut } from './dut';

/** The one port of the simulated device; what it sends arrives at itself: ibv_query_port(3). */
export class Port {
  readonly portNum = simulatedDut.port.portNum;
  /** That which the device describes, as 16 bytes. */
  readonly gid = Buffer.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  /** Whether its link is up. */
  isUp = true;
}
