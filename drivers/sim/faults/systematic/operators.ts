import type { Slot } from './slot';

/** What a piece of state is, by the values that it takes. */
export type PieceKind =
  'number' | 'word' | 'boolean' | 'text' | 'flags' | 'list' | 'collection' | 'reference' | 'bytes';

/** What goes wrong with a piece of state: of each slot, which has siblings in other objects. */
export interface Operator {
  readonly name: string;
  apply(slot: Slot, siblings: readonly Slot[]): void;
}

const onNumber = (name: string, change: (value: number) => number): Operator => ({
  name,
  apply: (slot) => {
    if (typeof slot.value === 'number') slot.value = change(slot.value);
  },
});

const onWord = (name: string, change: (value: bigint) => bigint): Operator => ({
  name,
  apply: (slot) => {
    if (typeof slot.value === 'bigint') slot.value = BigInt.asUintN(64, change(slot.value));
  },
});

const onItems = (name: string, change: (items: readonly unknown[]) => readonly unknown[]): Operator => ({
  name,
  apply: (slot) => {
    if (Array.isArray(slot.value)) slot.restore(change([...(slot.value as unknown[])]));
    else if (slot.value instanceof Set) slot.restore(new Set(change([...slot.value])));
    else if (slot.value instanceof Map) slot.restore(new Map(change([...slot.value]) as [unknown, unknown][]));
  },
});

/** What it is in the next object of its kind. */
const ofAnother: Operator = {
  name: 'given to another',
  apply: (slot, siblings) => {
    const other = siblings.find(({ holder }) => holder !== slot.holder);
    if (other === undefined) return;
    const [mine, its] = [slot.snapshot, other.snapshot];
    slot.restore(its);
    other.restore(mine);
  },
};

/** Whether it changes only what is large. */
export const isTruncation = ({ name }: Operator): boolean => name.startsWith('truncated');

/** Whether it takes from one what another gets. */
export const isMove = (operator: Operator): boolean => operator === ofAnother || operator === movedToAnother;

/** The items of a list go over to the next object of its kind. */
const movedToAnother: Operator = {
  name: 'given to another',
  apply: (slot, siblings) => {
    const other = siblings.find(({ holder }) => holder !== slot.holder);
    if (!Array.isArray(slot.value) || !Array.isArray(other?.value)) return;
    (other.value as unknown[]).push(...(slot.value.splice(0) as unknown[]));
  },
};

const lost: Operator = {
  name: 'lost',
  apply: (slot) => {
    slot.value = undefined;
  },
};

const becoming = (sample: unknown): Operator => ({
  name: `becomes ${Array.isArray(sample) ? sample.join(' | ') || 'none' : String(sample)}`,
  apply: (slot) => {
    slot.value = sample;
  },
});

const onBytes = (name: string, change: (bytes: Uint8Array) => void): Operator => ({
  name,
  apply: ({ value }) => {
    if (value instanceof Uint8Array) change(value);
  },
});

const flipped = (bytes: Uint8Array, at: number): void => {
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
};

export const numberOperators: readonly Operator[] = [
  onNumber('zeroed', () => 0),
  onNumber('one more', (value) => value + 1),
  onNumber('one less', (value) => value - 1),
  onNumber('truncated to 8 bits', (value) => value & 0xff),
];

export const wordOperators: readonly Operator[] = [
  onWord('zeroed', () => 0n),
  onWord('one more', (value) => value + 1n),
  onWord('truncated to 8 bits', (value) => value & 0xffn),
  onWord('truncated to 16 bits', (value) => value & 0xffffn),
  onWord('truncated to 32 bits', (value) => value & 0xffff_ffffn),
  onWord('byte-swapped', swapped),
];

const itemOperators: readonly Operator[] = [
  onItems('lost', () => []),
  onItems('first lost', (items) => items.slice(1)),
  onItems('last lost', (items) => items.slice(0, -1)),
];

/** All that can go wrong with a piece of state of this kind, which has taken these values besides. */
export function operatorsOf(kind: PieceKind, isOptional: boolean, samples: readonly unknown[]): readonly Operator[] {
  const isLosable = isOptional && !operators[kind].some(({ name }) => name === lost.name);
  return [...operators[kind], ...(isLosable ? [lost] : []), ...samples.map(becoming)];
}

const operators: Readonly<Record<PieceKind, readonly Operator[]>> = {
  number: numberOperators,
  word: [...wordOperators, ofAnother],
  boolean: [{ name: 'flipped', apply: (slot) => (slot.value = slot.value !== true) }],
  text: [ofAnother],
  flags: itemOperators.slice(0, 1),
  list: [
    ...itemOperators,
    onItems('first doubled', (items) => [...items.slice(0, 1), ...items]),
    onItems('last doubled', (items) => [...items, ...items.slice(-1)]),
    onItems('reversed', (items) => [...items].reverse()),
    movedToAnother,
  ],
  collection: itemOperators,
  reference: [ofAnother],
  bytes: [
    onBytes('zeroed', (bytes) => bytes.fill(0)),
    onBytes('first byte changed', (bytes) => {
      flipped(bytes, 0);
    }),
    onBytes('last byte changed', (bytes) => {
      flipped(bytes, bytes.length - 1);
    }),
  ],
};

/** The eight bytes in the other order. */
function swapped(value: bigint): bigint {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, value, true);
  return bytes.getBigUint64(0);
}
