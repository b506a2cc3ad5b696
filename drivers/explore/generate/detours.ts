import { isCall, isPort, nameIn, type CallOp, type Op, type Program, type ProgramStruct } from '../../programs/program';
import { takesSends } from '../../sim/qp/states';
import { StatesInText } from './states-in-text';
import {
  hasLinkOfOthers,
  localInvalidationOfUc,
  refusedSendStays,
  secondBinding,
  secondInvalidation,
  sendOfSqdStays,
  windowKeepsItsQp,
} from './avoided';

type Struct = Readonly<Record<string, unknown>>;

/** What a device gets wrong for good if a program takes the straight way, and the way around it. */
export class Detours {
  /** The windows that are bound to each QP, as far as the text of the program tells. */
  readonly #windows = new Map<string, Set<string>>();
  /** QPs in IBV_QPS_SQD, and those of them that have sends posted there. */
  readonly #draining = new Set<string>();
  readonly #waiting = new Set<string>();

  readonly #states = new StatesInText();
  /** The keys that were invalidated. */
  readonly #invalidated = new Set<string>();
  /** The windows that were bound. */
  readonly #bound = new Set<string>();

  constructor(readonly avoided: ReadonlySet<string>) {}

  /** The operations that stand for the next one of a program. */
  around(op: Op): readonly Op[] {
    if ('par' in op) return [{ ...op, par: op.par.map((thread) => thread.flatMap((one) => this.around(one))) }];
    return isCall(op) ? this.#aroundCall(op) : [op];
  }

  #aroundCall(op: CallOp): readonly Op[] {
    const qp = nameIn(op.args.qp);
    const isRefused = op.call === 'ibv_modify_qp' && qp !== undefined && this.#states.refuses(qp, op.args);
    this.#states.see(op);
    if (isRefused) return [op];
    if (op.call === 'ibv_dealloc_mw') this.#forget(nameIn(op.args.mw));
    if (qp === undefined) return [op];
    if (op.call === 'ibv_post_send') return this.#isTooEarly(qp) ? [] : this.#sending(qp, op);
    if (op.call === 'ibv_modify_qp') return [this.#changing(qp, op)];
    return op.call === 'ibv_destroy_qp' ? [...this.#freeing(qp), op] : [op];
  }

  #forget(mw: string | undefined): void {
    if (mw !== undefined) for (const windows of this.#windows.values()) windows.delete(mw);
  }

  /** What is refused there may be done later. */
  #isTooEarly(qp: string): boolean {
    return this.avoided.has(refusedSendStays) && !takesSends(this.#states.of(qp));
  }

  /** A list of sends without those that invalidate or bind a window again, or where the device cannot. */
  #sending(qp: string, op: CallOp): readonly Op[] {
    this.#seeSends(qp, op);
    const wrs = op.args.wrs as readonly Struct[];
    const lawful = wrs.filter(
      ({ opcode, invalidateRkey, bindMw }) =>
        this.#binds(bindMw) &&
        (invalidateRkey === undefined || (this.#canDo(qp, opcode) && this.#invalidates(invalidateRkey))),
    );
    if (lawful.length === wrs.length) return [op];
    return lawful.length === 0 ? [] : [{ ...op, args: { ...op.args, wrs: lawful as ProgramStruct[] } }];
  }

  #canDo(qp: string, opcode: unknown): boolean {
    const isOfUc = opcode === 'IBV_WR_LOCAL_INV' && this.#states.typeOf(qp) === 'IBV_QPT_UC';
    return !(isOfUc && this.avoided.has(localInvalidationOfUc));
  }

  /** Whether a key is invalidated for the first time, or may be again. */
  #invalidates(key: unknown): boolean {
    const text = JSON.stringify(key);
    if (this.#invalidated.has(text)) return !this.avoided.has(secondInvalidation);
    this.#invalidated.add(text);
    return true;
  }

  /** Whether a window is bound for the first time, or may be again. */
  #binds(bindMw: unknown): boolean {
    const mw = nameIn((bindMw as ProgramStruct | undefined)?.mw);
    if (mw === undefined) return true;
    if (this.#bound.has(mw)) return !this.avoided.has(secondBinding);
    this.#bound.add(mw);
    return true;
  }

  #seeSends(qp: string, { args }: CallOp): void {
    if (this.#draining.has(qp)) this.#waiting.add(qp);
    for (const { bindMw } of args.wrs as readonly Struct[]) {
      const mw = nameIn((bindMw as ProgramStruct | undefined)?.mw);
      if (mw !== undefined) this.#windows.set(qp, (this.#windows.get(qp) ?? new Set()).add(mw));
    }
  }

  /** Windows end before the QP to which they are bound. */
  #freeing(qp: string): readonly Op[] {
    const windows = this.avoided.has(windowKeepsItsQp) ? [...(this.#windows.get(qp) ?? [])] : [];
    this.#windows.delete(qp);
    for (const mw of windows) this.#forget(mw);
    return windows.map((mw) => ({ call: 'ibv_dealloc_mw', args: { mw: { of: mw } } }));
  }

  /** What was posted in IBV_QPS_SQD is flushed there, and not begun in IBV_QPS_RTS. */
  #changing(qp: string, op: CallOp): Op {
    const { qpState } = op.args.attr as Struct;
    if (qpState === undefined) return op;
    const stays = this.#waiting.has(qp) && qpState === 'IBV_QPS_RTS' && this.avoided.has(sendOfSqdStays);
    if (qpState === 'IBV_QPS_SQD') {
      this.#draining.add(qp);
    } else {
      this.#draining.delete(qp);
      this.#waiting.delete(qp);
    }
    const failing = { qp: { of: qp }, attr: { qpState: 'IBV_QPS_ERR' }, attrMask: ['IBV_QP_STATE'] };
    return stays ? { call: 'ibv_modify_qp', args: failing } : op;
  }
}

/** Whether a program takes the way around all that is avoided. */
export function goesAround({ ops }: Program, avoided: ReadonlySet<string>): boolean {
  if (hasLinkOfOthers(avoided) && ops.some(isPort)) return false;
  const detours = new Detours(avoided);
  return ops.every((op) => JSON.stringify(detours.around(op)) === JSON.stringify([op]));
}
