import { errnoName, hex64, isStruct, mapStrings, type Data, type TraceStruct } from '../../drivers/contract';
import type { RawResult } from '../../drivers/pipeline/backend';
import { isRefusal, type VerbName } from '../../drivers/pipeline/conventions';
import { SimBackend } from '../../drivers/sim/backend';
import { soundParts } from '../../drivers/sim/device/device';
import { simulatedDut } from '../../drivers/sim/device/dut';
import { membersOf } from '../../drivers/verbs/derived/c-text';
import type { Members, Type } from '../../drivers/verbs/idl';
import { madeBy } from './operations';
import { wordOf, isRef, isValueList, isValues, type Answer, type Op, type Value, type Values } from './program';
import { Provenance } from './provenance';

/** What the reference answers to the operations of a program, in the words of the run: its handles. */
export interface ReferenceRun {
  readonly answers: readonly Answer[];
  /** What the reference gave objects. */
  readonly provenance: Provenance;
}

/**
 * Has the sound simulator carry out the same operations. What it makes is as large as the run's device made it.
 *
 * @param ops - up to the last that matters
 */
export async function referenceRun(ops: readonly Op[]): Promise<ReferenceRun> {
  const replay = new Replay();
  await replay.backend.begin();
  for (const [index, op] of ops.entries()) await replay.carryOut(index, op);
  return { answers: await replay.answers(), provenance: replay.provenance };
}

/** A call that has begun. */
interface Begun {
  readonly op: Op;
  answer: Answer;
}

class Replay {
  readonly backend = new SimBackend(soundParts, undefined, simulatedDut);
  readonly provenance: Provenance;
  readonly #begun: Begun[] = [];
  /** Handles of the simulator by those of the run. */
  readonly #handles = new Map<string, string>();

  constructor() {
    const { hcaId, port } = simulatedDut;
    const { portNum, gidIndex, gid } = port;
    this.provenance = new Provenance({ device: hcaId, portNum, gidIndex, gid });
  }

  async carryOut(index: number, op: Op): Promise<void> {
    await this.backend.settle();
    if (op.link !== undefined) await this.backend.setPortUp(op.link.way === 'up');
    const begun: Begun = { op, answer: { returned: undefined, outputs: {} } };
    this.#begun[index] = begun;
    const args = this.#argumentsOf(op);
    const call = this.backend.call(op.call.verb as VerbName, args).then(
      (result) => {
        this.#hear(begun, result);
      },
      () => undefined, // the simulator knows no such object: what the run's device gave is not the reference's
    );
    await Promise.race([call, this.#quiet()]);
  }

  async answers(): Promise<Answer[]> {
    await this.#quiet();
    return this.#begun.map(({ answer }) => answer);
  }

  /** Nothing that was called before can go on any more. */
  async #quiet(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await this.backend.settle();
  }

  #hear(begun: Begun, { returned, errno, outputs }: RawResult): void {
    const { op } = begun;
    const verb = op.call.verb as VerbName;
    const raw = dataOfTrace({ returned, outputs });
    const own = isStruct(raw) && isStruct(raw.outputs) ? { returned: raw.returned, outputs: raw.outputs } : undefined;
    const made = own && !isRefusal(verb, returned) ? madeBy(op.description.makes, own) : undefined;
    if (made !== undefined && op.made !== undefined) this.#handles.set(op.made, made);
    const ofRun = new Map([...this.#handles].map(([run, sim]) => [sim, run]));
    const words = mapStrings(raw, (text) => ofRun.get(text) ?? text);
    if (!isStruct(words) || !isStruct(words.outputs)) return;
    const refusal = isRefusal(verb, returned) ? { errno: errnoName(errnoIn(op, returned, errno)) } : {};
    begun.answer = { ...refusal, returned: words.returned ?? null, outputs: words.outputs };
    const { length } = op.call.args;
    if (made !== undefined && op.made !== undefined)
      this.provenance.learn(op.made, begun.answer, typeof length === 'number' ? length : 0);
  }

  #argumentsOf(op: Op): TraceStruct {
    const types = Object.assign({}, ...op.description.in) as Members;
    return this.#structOf(types, asLarge(op));
  }

  #structOf(types: Members, values: Values): TraceStruct {
    return Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => {
        const type = types[name];
        return type === undefined || value === undefined ? [] : [[name, this.#travelling(type, name, value)]];
      }),
    ) as TraceStruct;
  }

  #travelling(type: Type, name: string, value: Value): unknown {
    if (type.is === 'nullable') return value === null ? null : this.#travelling(type.of, name, value);
    if (isRef(value)) return this.#travelling(type, name, this.provenance.resolve(value));
    if (name === 'device') return simulatedDut.hcaId;
    if (type.is === 'list' && isValueList(value)) return value.map((item) => this.#travelling(type.item, name, item));
    if (type.is === 'struct' && isValues(value)) return this.#structOf(Object.fromEntries(membersOf(type)), value);
    if (type.is === 'word') return BigInt(wordOf(value));
    if (type.is === 'object' || type.is === 'either')
      return typeof value === 'string' ? (this.#handles.get(value) ?? value) : value;
    return value;
  }
}

const errnoIn = ({ description }: Op, returned: RawResult['returned'], errno: number): number =>
  description.fails === 'errno' && typeof returned === 'number' ? Math.abs(returned) : errno;

/** A larger CQ, QP or SRQ than was asked for is one that a device may make. */
function asLarge({ args, answer, call }: Op): Values {
  if (answer.errno !== undefined) return args;
  const { cqe, cap, maxWr, maxSge } = answer.outputs;
  if (['ibv_create_cq', 'ibv_resize_cq'].includes(call.verb) && typeof cqe === 'number' && isMore(cqe, args.cqe))
    return { ...args, cqe };
  if (call.verb === 'ibv_create_cq_ex' && isValues(args.cqAttr) && isMore(cqe, args.cqAttr.cqe))
    return { ...args, cqAttr: { ...args.cqAttr, cqe } };
  if (call.verb === 'ibv_create_qp' && isValues(args.qpInitAttr) && isStruct(cap))
    return { ...args, qpInitAttr: { ...args.qpInitAttr, cap: largest(args.qpInitAttr.cap, cap) } };
  if (call.verb === 'ibv_create_srq' && isValues(args.srqInitAttr))
    return { ...args, srqInitAttr: { attr: largest(args.srqInitAttr.attr, { maxWr, maxSge }) } };
  return args;
}

const isMore = (made: Data | undefined, asked: Value): made is number =>
  typeof made === 'number' && typeof asked === 'number' && made > asked;

function largest(asked: Value, made: Readonly<Record<string, Data | undefined>>): Value {
  if (!isValues(asked)) return asked;
  return Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [name, isMore(made[name], value) ? made[name] : value]),
  );
}

/** A raw result as it is recorded. */
function dataOfTrace(value: unknown): Data {
  return JSON.parse(
    JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? hex64(one) : one)),
  ) as Data;
}
