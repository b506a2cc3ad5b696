import { setImmediate } from 'node:timers/promises';
import { InProcessDriver } from '../../pipeline/in-process-driver';
import { SimBackend } from '../backend';
import { limits } from '..';
import type { Parts } from '../device/device';

/** Turns of the event loop without a call after which nobody is taken to call. */
const idleTurns = 5000;

/**
 * The simulator of these classes for a process that does nothing but run scenarios: a call that waits is hung as soon as the
 * event loop has turned so long without another one that the scenario cannot be about to make it.
 */
export class Prover extends InProcessDriver {
  constructor(parts: Parts) {
    super(new SimBackend(parts), limits);
  }

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
