import { cellKey, type Cell, type CellKind, type Situation } from '../coverage/cell';
import type { Chance } from './chance';
import { often, Places, type Spot } from './places';

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

/** Acts that are there for cells are done with when each was met so often, or when they were tried as often as all others. */
const oftenEnough = 2;

/** So many acts lead on to where most is left, although there is something to be met here. */
const shareOfWays = 0.25;

/** So much is supposed to be left to be met in a state in which no object has been yet. */
const supposed = 6;

/** An act that may be chosen. */
interface Choice {
  readonly act: Act;
  readonly kind: CellKind;
  readonly spot: Spot;
}

/** What a program heads for: what it meets with what it has, or also what is rare, for which acts may be long. */
export type Scope = 'usual' | 'rare';

/** So many programs of a session head for what is usual alone, where most faults show; after these, every other one. */
const usualAtFirst = 40;

/** What programs have met so far: the next ones head for what was met least. */
export class Aim {
  readonly #cells = new Map<string, number>();
  readonly #places = new Places();
  #programs = 0;

  constructor(readonly atFirst = usualAtFirst) {}

  /** Begins a program. @returns what it heads for */
  begin(): Scope {
    this.#programs += 1;
    return this.#programs > this.atFirst && this.#programs % 2 === 0 ? 'rare' : 'usual';
  }

  see = (cell: Cell): void => {
    const key = cellKey(cell);
    this.#cells.set(key, this.#timesOfCell(key) + 1);
    this.#places.at(cell).meet();
  };

  #timesOfCell(key: string): number {
    return this.#cells.get(key) ?? 0;
  }

  #times({ goals }: Act, spot: Spot): number {
    if (goals === undefined) return spot.times;
    const fewest = Math.min(...goals.map((cell) => this.#timesOfCell(cellKey(cell))));
    return Math.max((fewest * often) / oftenEnough, spot.tried);
  }

  /** Does one of several acts that leads to what was met least, now or later. @returns whether there was one */
  async act(acts: readonly Act[], chance: Chance, scope: Scope = 'usual'): Promise<boolean> {
    const choices = acts.flatMap((act) => this.#choiceOf(act));
    const isFar = scope === 'rare' && chance.happens(shareOfWays);
    const far = isFar ? this.#mostPromising(choices, chance) : undefined;
    const next = far ?? this.#rarest(choices, chance) ?? this.#mostPromising(choices, chance);
    if (next === undefined) return false;
    const { act, spot } = next;
    spot.try();
    await act.make();
    const state = act.stateAfter?.();
    if (state !== undefined) spot.leadsTo(this.#places.of({ kind: next.kind, state }));
    return true;
  }

  #choiceOf(act: Act): Choice[] {
    const { situation, goals, leadsTo } = act;
    if (situation === undefined) return [];
    const spot = this.#places.at(situation);
    if (goals === undefined && leadsTo === undefined) spot.note();
    return [{ act, kind: situation.kind, spot }];
  }

  #rarest(choices: readonly Choice[], chance: Chance): Choice | undefined {
    let fewest = often;
    let best: Choice[] = [];
    for (const choice of choices) {
      if (choice.act.leadsTo !== undefined) continue;
      const times = this.#times(choice.act, choice.spot);
      if (times < fewest) [fewest, best] = [times, []];
      if (times === fewest && times < often) best.push(choice);
    }
    return chance.pick(best);
  }

  /** One that has led to a state from which most is left to be met. */
  #mostPromising(choices: readonly Choice[], chance: Chance): Choice | undefined {
    const promises = choices.map((choice): [Choice, number] => [choice, this.#promiseOf(choice)]);
    return chance.weighted(promises.filter(([, promise]) => promise > 0));
  }

  #promiseOf({ act: { goals, leadsTo }, spot }: Choice): number {
    if (goals !== undefined) return 0;
    if (leadsTo === undefined) return spot.promise;
    const place = this.#places.of(leadsTo);
    return (place.isNew ? supposed : place.left) / (1 + spot.tried);
  }
}
