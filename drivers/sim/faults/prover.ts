import { setImmediate } from 'node:timers/promises';
import type { Driver, Dut } from '../../contract';
import type { Backend } from '../../pipeline/backend';
import { InProcessDriver } from '../../pipeline/in-process-driver';
import { PeerBackend, SimBackend } from '../backend';
import type { Parts } from '../device/device';
import { peerOf, simulatedDut } from '../device/dut';
import { limits } from '../simulator';
import { Testbed } from '../testbed';
import { RememberingBackend, type HistoryEvent } from './history';

/** Turns of the event loop without a call after which nobody is taken to call. */
const idleTurns = 5000;

/** A call that waits is hung as soon as the event loop has turned so long that the scenario cannot be about to make another. */
export class HungWhenIdle extends InProcessDriver {
  readonly #simulator: SimBackend;

  /** @param through - what makes the calls of the simulator, if it is not the simulator itself */
  constructor(simulator: SimBackend, through: Backend = simulator) {
    super(through, limits);
    this.#simulator = simulator;
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
      const before = this.#simulator.nowMs();
      await setImmediate();
      if (this.#simulator.nowMs() !== before) turns = 0;
    }
    return !over();
  }
}

/** The simulator of these classes for a process that does nothing but run scenarios. */
export class Prover extends HungWhenIdle {
  readonly nodes: Readonly<Record<string, Driver>>;

  /**
   * @param remember - hears what scenarios ask of the devices, and what comes of it
   * @param dut - what the device says of itself
   */
  constructor(parts: Parts, remember?: (event: HistoryEvent) => void, dut: Dut = simulatedDut) {
    const testbed = new Testbed();
    let id = 0;
    const through = (simulator: SimBackend, node: string): Backend =>
      remember === undefined ? simulator : new RememberingBackend(simulator, node, remember, () => id++);
    const left = new SimBackend(parts, testbed, dut);
    const right = new PeerBackend(parts, testbed, peerOf(dut));
    super(left, through(left, 'left'));
    this.nodes = { left: this, right: new HungWhenIdle(right, through(right, 'right')) };
  }
}
