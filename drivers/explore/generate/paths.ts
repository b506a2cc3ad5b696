import type { QpState } from '../../contract';
import { nameIn, type CallOp } from '../../programs/program';
import { StatesInText } from './states-in-text';

/** The states of a QP that has a path. */
const connects: ReadonlySet<QpState> = new Set(['IBV_QPS_RTR', 'IBV_QPS_RTS', 'IBV_QPS_SQD']);

/** The contexts that a program has open, and its QPs that have a path. */
export class Paths {
  readonly #contexts = new Set<string>();
  readonly #connected = new Set<string>();
  readonly #states = new StatesInText();

  /** Whether the link may go down, which a context can tell. */
  get canBeCut(): boolean {
    return this.#contexts.size > 0 && this.#connected.size === 0;
  }

  /** @returns whether the call lays a path */
  see(op: CallOp): boolean {
    if (op.call === 'ibv_open_device' && op.as !== undefined) this.#contexts.add(op.as);
    if (op.call === 'ibv_close_device') this.#contexts.delete(nameIn(op.args.context) ?? '');
    const qp = nameIn(op.args.qp) ?? '';
    if (op.call === 'ibv_destroy_qp') this.#connected.delete(qp);
    this.#states.see(op);
    if (op.call !== 'ibv_modify_qp') return op.call === 'ibv_create_ah';
    const connected = connects.has(this.#states.of(qp));
    if (connected) this.#connected.add(qp);
    else this.#connected.delete(qp);
    return connected;
  }
}
