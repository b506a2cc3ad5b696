import type { AhAttr } from '../contract';
import { simulatedDut } from './dut';

/** The one port of the simulated device; what it sends arrives at itself: ibv_query_port(3). */
export class Port {
  readonly portNum = simulatedDut.port.portNum;
  readonly activeMtu = simulatedDut.port.activeMtu;
  readonly gid = bytesOfGid(simulatedDut.port.gid);
  #up = true;

  get state(): 'IBV_PORT_ACTIVE' | 'IBV_PORT_DOWN' {
    return this.#up ? 'IBV_PORT_ACTIVE' : 'IBV_PORT_DOWN';
  }

  /** @returns whether that changed the state of the link */
  setUp(up: boolean): boolean {
    const changed = this.#up !== up;
    this.#up = up;
    return changed;
  }

  /** Whether a path can be used at all. */
  accepts({ portNum, sgidIndex }: AhAttr): boolean {
    return portNum === this.portNum && sgidIndex === simulatedDut.port.gidIndex;
  }

  /** Whether what is sent on a path arrives at this port. */
  reaches({ dgid }: AhAttr): boolean {
    return this.#up && bytesOfGid(dgid).equals(this.gid);
  }
}

/** A GID as 16 bytes. */
export function bytesOfGid(gid: string): Buffer {
  return Buffer.from(gid.replaceAll(':', ''), 'hex');
}
