import { situationKey, type Cell, type Situation } from '../coverage/cell';
import type { Chance } from './chance';

/** Something that a program may do now, and the situation that it leads to. */
export interface Act {
  readonly situation: Situation | undefined;
  readonly make: () => Promise<unknown>;
  /** The state in which the object then is, if it is still there. */
  readonly stateAfter?: () => string | undefined;
}

/** A situation that was met so often is not headed for any more. */
const often = 4;

/** What an act leads to, and the acts that are possible there. */
interface Known {
  readonly operations: Set<string>;
  /** Where each operation has led to from here. */
  readonly after: Map<string, Set<string>>;
}

/** What programs have met so far: the next ones head for what was met least. */
export class Aim {
  readonly #met = new Map<string, number>();
  /** How often a situation was headed for, whatever has come of it. */
  readonly #tried = new Map<string, number>();
  /** By the kind and the state of an object. */
  readonly #known = new Map<string, Known>();

  see = (cell: Cell): void => {
    const key = situationKey(cell);
    this.#met.set(key, this.#timesMet(key) + 1);
  };

  #timesMet(key: string): number {
    return this.#met.get(key) ?? 0;
  }

  /** What cannot be met by what is tried for it is left alone after a while. */
  #times(situation: Situation): number {
    const key = situationKey(situation);
    return Math.max(this.#timesMet(key), (this.#tried.get(key) ?? 0) / 3);
  }

  /** Does one of several acts that leads to what was met least, now or later. @returns whether there was one */
  async act(acts: readonly Act[], chance: Chance): Promise<boolean> {
    for (const { situation } of acts)
      if (situation !== undefined) this.#place(situation).operations.add(situation.operation);
    const next = this.#rarest(acts, chance) ?? this.#mostPromising(acts, chance);
    if (next?.situation === undefined) return false;
    const { situation, make, stateAfter } = next;
    const key = situationKey(situation);
    this.#tried.set(key, (this.#tried.get(key) ?? 0) + 1);
    await make();
    const state = stateAfter?.();
    if (state !== undefined) this.#learn(situation, state);
    return true;
  }

  #place({ kind, state }: Pick<Situation, 'kind' | 'state'>): Known {
    const key = `${kind} | ${state}`;
    const known = this.#known.get(key) ?? { operations: new Set(), after: new Map() };
    this.#known.set(key, known);
    return known;
  }

  #learn(situation: Situation, state: string): void {
    const { after } = this.#place(situation);
    const states = after.get(situation.operation) ?? new Set();
    after.set(situation.operation, states.add(state));
  }

  #rarest(acts: readonly Act[], chance: Chance): Act | undefined {
    let fewest = often;
    let best: Act[] = [];
    for (const act of acts) {
      if (act.situation === undefined) continue;
      const times = this.#times(act.situation);
      if (times < fewest) [fewest, best] = [times, []];
      if (times === fewest && times < often) best.push(act);
    }
    return chance.pick(best);
  }

  /** One that has led to a state from which most is left to be met. */
  #mostPromising(acts: readonly Act[], chance: Chance): Act | undefined {
    const unmet = new Map<string, number>();
    const promises = acts.map((act): [Act, number] => [act, act.situation ? this.#promise(act.situation, unmet) : 0]);
    return chance.weighted(promises.filter(([, promise]) => promise > 0));
  }

  /** What is left to be met where an act has led to, and less of what is one act further. */
  #promise(situation: Situation, unmet: Map<string, number>): number {
    const { kind } = situation;
    const states = [...(this.#place(situation).after.get(situation.operation) ?? [])];
    const near = states.map(
      (state) => this.#unmetIn({ kind, state }, unmet) + this.#unmetBehind({ kind, state }, unmet),
    );
    return near.length === 0 ? 0 : Math.max(...near) / near.length;
  }

  #unmetBehind(there: Pick<Situation, 'kind' | 'state'>, unmet: Map<string, number>): number {
    const states = new Set([...this.#place(there).after.values()].flatMap((after) => [...after]));
    return Math.max(0, ...[...states].map((state) => this.#unmetIn({ kind: there.kind, state }, unmet))) / 4;
  }

  #unmetIn(there: Pick<Situation, 'kind' | 'state'>, known: Map<string, number>): number {
    const key = `${there.kind} | ${there.state}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const operations = [...this.#place(there).operations];
    const unmet = operations.filter((operation) => this.#times({ ...there, operation }) < often).length;
    known.set(key, unmet);
    return unmet;
  }
}
