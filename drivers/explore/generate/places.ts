import type { CellKind, Situation } from '../coverage/cell';

/** A situation that was met so often is not headed for any more. */
export const often = 4;

/** So much of what is left one act further counts as if it were here. */
const shareBehind = 0.25;

/** An operation in a state of an object. */
export class Spot {
  /** Whether a program could do it. */
  isPossible = false;
  #met = 0;
  #tried = 0;
  /** Where it has led to. */
  readonly #after = new Set<Spots>();

  constructor(readonly place: Spots) {}

  /** How often it was headed for, whatever has come of it. */
  get tried(): number {
    return this.#tried;
  }

  /** What cannot be met by what is tried for it is left alone after a while. */
  get times(): number {
    return Math.max(this.#met, this.#tried / 3);
  }

  get isLeft(): boolean {
    return this.isPossible && this.times < often;
  }

  meet(): void {
    this.#met += 1;
    this.place.change();
  }

  try(): void {
    this.#tried += 1;
    this.place.change();
  }

  note(): void {
    if (this.isPossible) return;
    this.isPossible = true;
    this.place.change();
  }

  leadsTo(place: Spots): void {
    this.#after.add(place);
  }

  /** The most that is left in a state that it has led to. */
  mostAfter(leftIn: (place: Spots) => number): number {
    let most = 0;
    for (const place of this.#after) most = Math.max(most, leftIn(place));
    return most;
  }

  /** What is left to be met where it has led to, and less of what is one act further. */
  get promise(): number {
    if (this.#after.size === 0) return 0;
    return this.mostAfter((place) => place.left + shareBehind * place.leftBehind) / this.#after.size;
  }
}

/** What can be done in a state of objects of a kind. */
export class Spots {
  readonly #spots = new Map<string, Spot>();
  /** How many operations are left to be met; it is counted again when one has changed. */
  #left: number | undefined;

  at(operation: string): Spot {
    const before = this.#spots.get(operation);
    if (before !== undefined) return before;
    const spot = new Spot(this);
    this.#spots.set(operation, spot);
    return spot;
  }

  change(): void {
    this.#left = undefined;
  }

  /** Whether no object has been in this state when a program chose what to do. */
  get isNew(): boolean {
    for (const { isPossible } of this.#spots.values()) if (isPossible) return false;
    return true;
  }

  get left(): number {
    this.#left ??= [...this.#spots.values()].filter(({ isLeft }) => isLeft).length;
    return this.#left;
  }

  /** The most that is left one act further. */
  get leftBehind(): number {
    let most = 0;
    for (const spot of this.#spots.values())
      most = Math.max(
        most,
        spot.mostAfter(({ left }) => left),
      );
    return most;
  }
}

/** What was met of all that can be done, by the kind and the state of an object. */
export class Places {
  readonly #byKind = new Map<CellKind, Map<string, Spots>>();

  of({ kind, state }: Pick<Situation, 'kind' | 'state'>): Spots {
    let states = this.#byKind.get(kind);
    if (states === undefined) this.#byKind.set(kind, (states = new Map<string, Spots>()));
    let spots = states.get(state);
    if (spots === undefined) states.set(state, (spots = new Spots()));
    return spots;
  }

  at(situation: Situation): Spot {
    return this.of(situation).at(situation.operation);
  }
}
