import { simulatedDut } from './dut';

/** The one port of a simulated device: ibv_query_port(3). */
export class Port {
  readonly portNum = simulatedDut.port.portNum;
  /** Bytes. */
  readonly activeMtu = simulatedDut.port.activeMtu;
  /** Whether its link is up. */
  isUp = true;

  /** @param gid - its address on the network */
  constructor(readonly gid: string) {}
}
