import { cellKey, situationKey, type Cell, type Situation } from '../coverage/cell';
import type { Chance } from './chance';

/** A state of objects of a kind. */
type Place = Pick<Situation, 'kind' | 'state'>;

/** Something that a program may do now, and the situation that it leads to. */
export interface Act {
  readonly situation: Situation | undefined;
  /** The cells that it is there for, where what it comes to is known before; its situation then only names it. */
  readonly goals?: readonly Cell[];
  /** The state into which it brings an object of its own, where it is there for nothing else. */
  readonly leadsTo?: Place;
  readonly make: () => Promise<unknown>;
  /** The state in which the object then is, if it is still there. */
  readonly stateAfter?: () => string | undefined;
}

/** A situation that was met so often is not headed for any more. */
const often = 4;

/** Acts that are there for cells are done with when each was met so often, or when they were tried as often as all others. */
const oftenEnough = 2;

/** So many acts lead on to where most is left, although there is something to be met here. */
const shareOfWays = 0.25;

/** So much is supposed to be left to be met in a state in which no object has been yet. */
const supposed = 6;

/** What an act leads to, and the acts that are possible there. */
interface Known {
  readonly operations: Set<string>;
  /** Where each operation has led to from here. */
  readonly after: Map<string, Set<string>>;
}

/** What a program heads for: what it meets with what it has, or also what is rare, for which acts may be long. */
export type Scope = 'usual' | 'rare';

/** So many programs of a session head for what is usual alone, where most faults show; after these, every other one. */
const usualAtFirst = 40;

/** What programs have met so far: the next ones head for what was met least. */
export class Aim {
  readonly #met = new Map<string, number>();
  /** How often a situation was headed for, whatever has come of it. */
  readonly #tried = new Map<string, number>();
  /** By the kind and the state of an object. */
  readonly #known = new Map<string, Known>();
  #programs = 0;

  constructor(readonly atFirst = usualAtFirst) {}

  /** Begins a program. @returns what it heads for */
  begin(): Scope {
    this.#programs += 1;
    return this.#programs > this.atFirst && this.#programs % 2 === 0 ? 'rare' : 'usual';
  }

  see = (cell: Cell): void => {
    for (const key of [situationKey(cell), cellKey(cell)]) this.#met.set(key, this.#timesMet(key) + 1);
  };

  #timesMet(key: string): number {
    return this.#met.get(key) ?? 0;
  }

  #timesTried(situation: Situation): number {
    return this.#tried.get(situationKey(situation)) ?? 0;
  }

  /** What cannot be met by what is tried for it is left alone after a while. */
  #times(situation: Situation): number {
    return Math.max(this.#timesMet(situationKey(situation)), this.#timesTried(situation) / 3);
  }

  #timesOf(situation: Situation, goals: readonly Cell[] | undefined): number {
    if (goals === undefined) return this.#times(situation);
    const fewest = Math.min(...goals.map((cell) => this.#timesMet(cellKey(cell))));
    return Math.max((fewest * often) / oftenEnough, this.#timesTried(situation));
  }

  /** Does one of several acts that leads to what was met least, now or later. @returns whether there was one */
  async act(acts: readonly Act[], chance: Chance, scope: Scope = 'usual'): Promise<boolean> {
    for (const { situation, goals, leadsTo } of acts) {
      if (situation !== undefined && goals === undefined && leadsTo === undefined)
        this.#place(situation).operations.add(situation.operation);
    }
    const isFar = scope === 'rare' && chance.happens(shareOfWays);
    const far = isFar ? this.#mostPromising(acts, chance) : undefined;
    const next = far ?? this.#rarest(acts, chance) ?? this.#mostPromising(acts, chance);
    if (next?.situation === undefined) return false;
    const { situation, make, stateAfter } = next;
    this.#tried.set(situationKey(situation), this.#timesTried(situation) + 1);
    await make();
    const state = stateAfter?.();
    if (state !== undefined) this.#learn(situation, state);
    return true;
  }

  #place({ kind, state }: Place): Known {
    const key = placeKey({ kind, state });
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
      if (act.situation === undefined || act.leadsTo !== undefined) continue;
      const times = this.#timesOf(act.situation, act.goals);
      if (times < fewest) [fewest, best] = [times, []];
      if (times === fewest && times < often) best.push(act);
    }
    return chance.pick(best);
  }

  /** One that has led to a state from which most is left to be met. */
  #mostPromising(acts: readonly Act[], chance: Chance): Act | undefined {
    const unmet = new Map<string, number>();
    const promises = acts.map((act): [Act, number] => [act, this.#promiseOf(act, unmet)]);
    return chance.weighted(promises.filter(([, promise]) => promise > 0));
  }

  #promiseOf({ situation, goals, leadsTo }: Act, unmet: Map<string, number>): number {
    if (situation === undefined || goals !== undefined) return 0;
    if (leadsTo === undefined) return this.#promise(situation, unmet);
    const left = this.#place(leadsTo).operations.size === 0 ? supposed : this.#unmetIn(leadsTo, unmet);
    return left / (1 + this.#timesTried(situation));
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

  #unmetBehind(there: Place, unmet: Map<string, number>): number {
    const states = new Set([...this.#place(there).after.values()].flatMap((after) => [...after]));
    return Math.max(0, ...[...states].map((state) => this.#unmetIn({ kind: there.kind, state }, unmet))) / 4;
  }

  #unmetIn(there: Place, known: Map<string, number>): number {
    const key = placeKey(there);
    const before = known.get(key);
    if (before !== undefined) return before;
    const operations = [...this.#place(there).operations];
    const unmet = operations.filter((operation) => this.#times({ ...there, operation }) < often).length;
    known.set(key, unmet);
    return unmet;
  }
}

const placeKey = ({ kind, state }: Place): string => `${kind} | ${state}`;
