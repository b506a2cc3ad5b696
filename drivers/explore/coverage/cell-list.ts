import { cellKey, cellOf, cellKinds, type Cell } from './cell';

/** What reaches a cell: the features, whatever else does; or generated programs alone. */
export type Reach = 'scenarios' | 'generated';

/** Cells by their kinds, states, operations and outcomes, as they lie in a file. */
export type CellList = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Reach>>>>>>>
>;

/** The list of cells, in the order of their kinds and of the alphabet. */
export function listOfCells(cells: ReadonlyMap<string, Reach>): CellList {
  const list: Record<string, Record<string, Record<string, Record<string, Reach>>>> = {};
  for (const key of [...cells.keys()].sort(byKind)) {
    const { kind, state, operation, outcome } = cellOf(key);
    const outcomes = (((list[kind] ??= {})[state] ??= {})[operation] ??= {});
    outcomes[outcome] = cells.get(key) ?? 'generated';
  }
  return list;
}

function byKind(one: string, other: string): number {
  const place = (key: string): number => cellKinds.indexOf(cellOf(key).kind);
  return place(one) - place(other) || (one < other ? -1 : 1);
}

/** The cells of a list, and what reaches each. */
export function cellsIn(list: CellList): ReadonlyMap<string, Reach> {
  const cells = new Map<string, Reach>();
  for (const kind of cellKinds) {
    for (const [state, operations] of Object.entries(list[kind] ?? {})) {
      for (const [operation, outcomes] of Object.entries(operations)) {
        for (const [outcome, reach] of Object.entries(outcomes)) {
          const cell: Cell = { kind, state, operation, outcome };
          cells.set(cellKey(cell), reach);
        }
      }
    }
  }
  return cells;
}
