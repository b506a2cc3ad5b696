import type { QpState, QpType } from '../../contract';
import { nameIn, type CallOp } from '../../programs/program';
import { attributesNeeded } from '../../sim/qp/attributes-of-states';
import { leadsTo } from '../../sim/qp/states';

/** The states to which a program brings its QPs, as its text tells: a change that is refused leaves the state as it is. */
export class StatesInText {
  readonly #states = new Map<string, QpState>();
  readonly #types = new Map<string, QpType>();

  of(qp: string): QpState {
    return this.#states.get(qp) ?? 'IBV_QPS_RESET';
  }

  typeOf(qp: string): QpType | undefined {
    return this.#types.get(qp);
  }

  see({ call, args, as }: CallOp): void {
    if (call === 'ibv_create_qp' && as !== undefined) this.#create(as, args.qpInitAttr as { readonly qpType: QpType });
    const qp = nameIn(args.qp);
    if (call === 'ibv_modify_qp' && qp !== undefined && !this.refuses(qp, args))
      this.#states.set(qp, this.next(qp, args));
  }

  #create(qp: string, { qpType }: { readonly qpType: QpType }): void {
    this.#types.set(qp, qpType);
    this.#states.delete(qp);
  }

  /** The state for which a change asks; the one that the QP has where it asks for none. */
  next(qp: string, { attr, attrMask }: CallOp['args']): QpState {
    const { qpState } = attr as { readonly qpState?: QpState };
    const isAsked = (attrMask as readonly string[]).includes('IBV_QP_STATE');
    return (isAsked ? qpState : undefined) ?? this.of(qp);
  }

  /** Whether no way leads there, or the change lacks what the QP needs there. */
  refuses(qp: string, args: CallOp['args']): boolean {
    const [from, to, type] = [this.of(qp), this.next(qp, args), this.typeOf(qp)];
    const mask = args.attrMask as readonly string[];
    const needed = type === undefined ? [] : attributesNeeded(type, from, to);
    return !leadsTo(from, to) || needed.some((name) => !mask.includes(name));
  }
}
