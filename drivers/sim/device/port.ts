import { simulatedDut } from './dut';

/** The one port of the simulated device; what it sends arrives at itself: ibv_query_port(3). */
export class Port {
  readonly portNum = simulatedDut.port.portNum;
  /** Whether its link is up. */
  isUp = true;
}
