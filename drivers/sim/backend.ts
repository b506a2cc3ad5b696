import type { Dut, Handle, TraceStruct } from '../contract';
import type { Backend, RawResult } from '../pipeline/backend';
import type { VerbName } from '../pipeline/conventions';
import { nextTurn } from '../pipeline/turns';
import type { Parts } from './device/device';
import { simulatedDut } from './device/dut';
import { Node } from './node';
import { Refusal } from './refusal';
import type { Returned } from './return-values';
import { Testbed } from './testbed';

/** Executes verbs on the reference model, in this process and in virtual time. */
export class SimBackend implements Backend {
  readonly hasFreshDevices: boolean = true;
  /** Virtual microseconds that a call takes. */
  protected readonly callUs: number = 1;
  #node: Node;

  /** @param testbed - where the device is; by itself unless given */
  constructor(
    readonly parts: Parts,
    readonly testbed: Testbed = new Testbed(),
    readonly dut: Dut = simulatedDut,
  ) {
    this.#node = this.#newNode();
  }

  protected get node(): Node {
    return this.#node;
  }

  #newNode(): Node {
    return new Node(this.testbed.scenario, this.parts, this.dut);
  }

  /** Takes part in the scenario that has begun on the testbed. */
  protected join(): void {
    this.#node = this.#newNode();
  }

  begin(): Promise<void> {
    this.testbed.begin();
    this.join();
    return Promise.resolve();
  }

  end(): Promise<readonly Handle[]> {
    return Promise.resolve(this.#node.handles.list());
  }

  /** Whoever called before has heard of the end of the call when this resolves. */
  async settle(): Promise<void> {
    this.#node.pass((clock) => {
      clock.runAll();
    });
    await nextTurn();
  }

  setPortUp(up: boolean): Promise<void> {
    this.#node.pass(() => {
      this.#node.device.setPortUp(up);
    });
    return Promise.resolve();
  }

  nowMs(): number {
    return this.#node.device.clock.nowUs / 1000;
  }

  pause(ms: number): Promise<void> {
    this.#node.pass((clock) => {
      clock.advance(ms * 1000);
    });
    return Promise.resolve();
  }

  async call(verb: VerbName, args: TraceStruct): Promise<RawResult> {
    const node = this.#node;
    const { clock } = node.device;
    const startedAt = clock.nowUs;
    const result = await attempt(node, verb, args);
    node.pass(() => {
      clock.advance(this.callUs);
    });
    return { ...result, startedAt, durationUs: clock.nowUs - startedAt };
  }
}

async function attempt(node: Node, verb: VerbName, args: TraceStruct): Promise<Returned> {
  const { returnValues } = node;
  try {
    return returnValues.ofSuccess(verb, await node.verbs.call(verb, args));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return returnValues.ofRefusal(verb, error);
  }
}

/** A further device of a testbed: it joins the scenario that the first one has begun. */
export class PeerBackend extends SimBackend {
  override begin(): Promise<void> {
    this.join();
    return Promise.resolve();
  }
}
