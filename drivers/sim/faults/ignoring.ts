import { dataOf, isSameData, type Dut, type Handle, type TraceStruct, type TraceValue } from '../../contract';
import type { Backend, RawResult } from '../../pipeline/backend';
import { conventionOf, type VerbName } from '../../pipeline/conventions';
import { SimBackend } from '../backend';
import { soundParts } from '../device/device';
import { HungWhenIdle } from './prover';

/**
 * What a device ignores: a call, `ibv_modify_cq`, which succeeds and does nothing; or what a call asks for by an argument,
 * `ibv_create_cq.compVector`, by a member of one, `ibv_create_cq_ex.cqAttr.wcFlags`, or by a flag of it, behind another dot.
 */
export type Ignored = string;

/** The simulator in all but what it ignores. */
class IgnoringBackend implements Backend {
  /** How often it was asked for what it ignores. */
  asked = 0;
  readonly #verb: string;
  readonly #path: readonly string[];

  constructor(
    readonly sound: Backend,
    ignored: Ignored,
  ) {
    const [verb = '', ...path] = ignored.split('.');
    this.#verb = verb;
    this.#path = path;
  }

  get dut(): Dut {
    return this.sound.dut;
  }

  call(verb: VerbName, args: TraceStruct): Promise<RawResult> {
    if (verb !== this.#verb) return this.sound.call(verb, args);
    const rest = this.#path.length === 0 ? undefined : (without(this.#path, args) as TraceStruct);
    this.asked += Number(rest === undefined || !isSameData(dataOf(rest), dataOf(args)));
    if (rest !== undefined) return this.sound.call(verb, rest);
    const returned = conventionOf(verb) === 'never' ? null : 0;
    return Promise.resolve({ returned, errno: 0, outputs: {}, startedAt: this.nowMs() * 1000, durationUs: 0 });
  }

  begin(): Promise<void> {
    return this.sound.begin();
  }

  end(): Promise<readonly Handle[]> {
    return this.sound.end();
  }

  settle(): Promise<void> {
    return this.sound.settle();
  }

  setPortUp(up: boolean): Promise<void> {
    return this.sound.setPortUp(up);
  }

  nowMs(): number {
    return this.sound.nowMs();
  }

  pause(ms: number): Promise<void> {
    return this.sound.pause(ms);
  }
}

/** A value without what stands at a path: a flag is left out, any other asks for nothing. */
function without([first, ...rest]: readonly string[], value: TraceValue): TraceValue {
  if (first === undefined) return nothing(value);
  if (Array.isArray(value)) return (value as readonly TraceValue[]).filter((flag) => flag !== first);
  const struct = value as TraceStruct;
  const member = struct[first];
  if (member === undefined) throw new Error(`there is no ${first} among ${Object.keys(struct).join(', ')}`);
  return { ...struct, [first]: without(rest, member) };
}

function nothing(value: TraceValue): TraceValue {
  if (Array.isArray(value)) return [];
  if (typeof value === 'bigint') return 0n;
  return typeof value === 'number' ? 0 : null;
}

/** A simulator that says it does what it ignores. */
export class IgnoringSimulator extends HungWhenIdle {
  readonly #ignoring: IgnoringBackend;

  constructor(ignored: Ignored) {
    const simulator = new SimBackend(soundParts);
    const ignoring = new IgnoringBackend(simulator, ignored);
    super(simulator, ignoring);
    this.#ignoring = ignoring;
  }

  /** Whether anything has asked for what it ignores. */
  get wasAsked(): boolean {
    return this.#ignoring.asked > 0;
  }
}
