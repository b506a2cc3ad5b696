import { setImmediate } from 'node:timers/promises';
import type { Driver } from '../../contract';
import { InProcessDriver } from '../../pipeline/in-process-driver';
import { PeerBackend, SimBackend } from '../backend';
import type { Parts } from '../device/device';
import { peerDut } from '../device/dut';
import { limits } from '../simulator';
import { Testbed } from '../testbed';

/** Turns of the event loop without a call after which nobody is taken to call. */
const idleTurns = 5000;

/** A call that waits is hung as soon as the event loop has turned so long that the scenario cannot be about to make another. */
class HungWhenIdle extends InProcessDriver {
  protected override whenHung(tell: (waited: string) => void): () => void {
    let waits = true;
    void this.#idle(() => !waits).then((idle) => {
      if (idle) tell('for ever');
    });
    return () => {
      waits = false;
    };
  }

  /** Resolves with true when virtual time has stood still for so many turns, with false when it is `over` before. */
  async #idle(over: () => boolean): Promise<boolean> {
    for (let turns = 0; !over() && turns < idleTurns; turns++) {
      const before = this.nowMs();
      await setImmediate();
      if (this.nowMs() !== before) turns = 0;
    }
    return !over();
  }
}

/** The simulator of these classes for a process that does nothing but run scenarios. */
export class Prover extends HungWhenIdle {
  readonly nodes: Readonly<Record<string, Driver>>;

  constructor(parts: Parts) {
    const testbed = new Testbed();
    super(new SimBackend(parts, testbed), limits);
    this.nodes = { left: this, right: new HungWhenIdle(new PeerBackend(parts, testbed, peerDut), limits) };
  }
}
