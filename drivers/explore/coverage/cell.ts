/** What a cell is about, in the order in which it is shown. */
export const cellKinds = [
  'CQ',
  'batch of an extended CQ',
  'completion channel',
  'context',
  'QP',
  'work request',
  'SRQ',
  'memory',
  'others',
] as const;
export type CellKind = (typeof cellKinds)[number];

/** An operation, and the state in which the object is that it is about. */
export interface Situation {
  readonly kind: CellKind;
  readonly state: string;
  readonly operation: string;
}

/** What an operation comes to in a state. */
export interface Cell extends Situation {
  readonly outcome: string;
}

/** Hears of each cell that is reached. */
export type SeeCell = (cell: Cell) => void;

/** The state in which an object is that a call makes. */
export const notThere = 'not there';

export const situationKey = ({ kind, state, operation }: Situation): string => `${kind} | ${state} | ${operation}`;

export const cellKey = (cell: Cell): string => `${situationKey(cell)} | ${cell.outcome}`;

/** The cell of a key. */
export function cellOf(key: string): Cell {
  const [kind, state = '', operation = '', outcome = ''] = key.split(' | ');
  const known = cellKinds.find((one) => one === kind);
  if (known === undefined) throw new Error(`"${key}" is of no kind of cell`);
  return { kind: known, state, operation, outcome };
}
