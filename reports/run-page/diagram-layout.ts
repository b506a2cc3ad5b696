import type { Diagram, DiagramRow } from './diagram';

/** Where something of a diagram is drawn, in pixels. */
export type PlacedRow = DiagramRow & {
  /** The line of an arrow, or the middle of a heading. */
  readonly y: number;
  readonly top: number;
  readonly height: number;
};

/** A diagram with places for all that is in it. */
export interface DiagramLayout {
  readonly width: number;
  readonly height: number;
  /** Of each lane. */
  readonly xs: readonly number[];
  readonly lanes: Diagram['lanes'];
  readonly rows: readonly PlacedRow[];
  readonly leftOut: number;
}

const heights: Readonly<Record<DiagramRow['is'], number>> = { step: 30, call: 32, answer: 28, lost: 28, finding: 26 };
const programX = 104;
const laneWidth = 132;
const characterWidth = 6.7;
const margin = 28;

/** Lays a diagram out: rows below each other, lanes beside each other, as wide as its longest text. */
export function layOut({ lanes, rows, leftOut }: Diagram): DiagramLayout {
  const xs = lanes.map((_, index) => programX + index * laneWidth);
  let top = 0;
  const placed = rows.map((row): PlacedRow => {
    const height = heights[row.is];
    const y = top + height - (row.is === 'step' || row.is === 'finding' ? 10 : 7);
    top += height;
    return { ...row, top, height, y };
  });
  const texts = rows.map(
    ({ is, text }) => text.length * characterWidth + (is === 'step' || is === 'finding' ? margin : programX),
  );
  const width = Math.ceil(Math.max((xs.at(-1) ?? 0) + laneWidth / 2, ...texts) + margin);
  return { width, height: top + 8, xs, lanes, rows: placed, leftOut };
}
