import type { DataTable } from '@cucumber/cucumber';
import {
  checkEqual,
  HarnessError,
  unwrittenWord,
  type Cq,
  type Data,
  type Value,
  type Wc,
} from '../../drivers/contract';
import { rowsOf, wordOf, type Row } from '../world/cells';
import type { VerbsWorld } from '../world/world';

type Column = (cell: string, wc: Wc, world: VerbsWorld) => { readonly expected: Data; readonly observed: Data };

const hex = (value: bigint | number): string => `0x${value.toString(16)}`;

const word =
  (read: (wc: Wc) => bigint | number): Column =>
  (cell, wc) => ({ expected: hex(wordOf(cell)), observed: hex(read(wc)) });

const text =
  (read: (wc: Wc) => string): Column =>
  (cell, wc) => ({ expected: cell, observed: read(wc) });

const qp =
  (read: (wc: Wc) => number): Column =>
  (cell, wc, world) => ({ expected: cell, observed: qpNameOf(world, read(wc)) });

const flag =
  (name: string): Column =>
  (cell, wc) => ({ expected: cell, observed: wc.wcFlags.includes(name) ? 'set' : 'clear' });

/** The status of a CQE of which it only matters that the work failed. */
const anyFailure = 'not IBV_WC_SUCCESS';

/** The flags that ibv_poll_cq(3) lists. */
const pageFlags: readonly string[] = ['IBV_WC_GRH', 'IBV_WC_WITH_IMM', 'IBV_WC_WITH_INV', 'IBV_WC_IP_CSUM_OK'];

/** What a table of CQEs may say of each, under the names of struct ibv_wc; a flag is `set` or `clear`. */
const columns: Readonly<Record<string, Column>> = {
  wr_id: word(({ wrId }) => wrId),
  status: (cell, { status }) => ({
    expected: cell,
    observed: cell === anyFailure && status !== 'IBV_WC_SUCCESS' ? anyFailure : status,
  }),
  opcode: text(({ opcode }) => opcode),
  byte_len: word(({ byteLen }) => byteLen),
  imm_data: word(({ immData }) => immData),
  vendor_err: text(({ vendorErr }) => (vendorErr === unwrittenWord ? 'unwritten' : 'written')),
  invalidated_rkey: (cell, wc, world) => ({ expected: cell, observed: windowNameOf(world, wc.invalidatedRkey) }),
  qp_num: qp(({ qpNum }) => qpNum),
  src_qp: qp(({ srcQp }) => srcQp),
  IBV_WC_WITH_IMM: flag('IBV_WC_WITH_IMM'),
  IBV_WC_WITH_INV: flag('IBV_WC_WITH_INV'),
  IBV_WC_GRH: flag('IBV_WC_GRH'),
  /** Flags beyond those of the page. */
  'further wc_flags': text(({ wcFlags }) => wcFlags.filter((name) => !pageFlags.includes(name)).join(' | ') || '0'),
};

export const completionHeadings = Object.keys(columns);

/** Rows of a table of CQEs. */
export function completionRows(table: DataTable): Row[] {
  return rowsOf(table, completionHeadings);
}

/** Compares CQEs of a CQ with the rows of a table, in order; members that a row leaves empty are not looked at. */
export function expectCompletionRows(
  world: VerbsWorld,
  cq: Cq,
  rows: readonly Row[],
  completions: readonly Wc[],
): void {
  const pairs = completions.map((wc, index) => compare(world, rows[index] ?? {}, wc));
  checkEqual({
    subject: `members of the CQEs of CQ ${world.cqs.nameOf(cq)}, in order`,
    expected: pairs.map(({ expected }) => expected),
    observed: pairs.map(({ observed }) => observed),
  });
}

/** What identifies a CQE in a message; the trace has all of it. */
export function completionData({ wrId, status }: Wc): Value {
  return { wr_id: wrId, status };
}

function compare(world: VerbsWorld, row: Row, wc: Wc): { expected: Data; observed: Data } {
  const members = Object.entries(row).map(([heading, cell]) => {
    const column = columns[heading];
    if (column === undefined || cell === undefined) throw new HarnessError(`no member of a CQE is called ${heading}`);
    return [heading, column(cell, wc, world)] as const;
  });
  return {
    expected: Object.fromEntries(members.map(([heading, { expected }]) => [heading, expected])),
    observed: Object.fromEntries(members.map(([heading, { observed }]) => [heading, observed])),
  };
}

/** The QP of that number as a table names it: `QP "client"`. One that has lost its upper bits is named as that. */
export function qpNameOf(world: VerbsWorld, qpNum: number): string {
  const qps = [...world.qps.values()];
  const found = qps.find(({ qp }) => qp.qpNum === qpNum);
  if (found !== undefined) return `QP ${world.qps.nameOf(found)}`;
  const like = qps.find(({ qp }) => lowerBits(qp.qpNum) === lowerBits(qpNum));
  return like === undefined
    ? `no QP of the scenario: ${qpNum}`
    : `another number with the lower 16 bits of QP ${world.qps.nameOf(like)}`;
}

function lowerBits(qpNum: number): number {
  return qpNum & 0xffff;
}

/** The memory window of that R_Key as a table names it: `memory window "window"`. */
export function windowNameOf(world: VerbsWorld, rkey: number): string {
  const found = [...world.windows.values()].find((window) => window.rkey === rkey);
  return found === undefined
    ? `no memory window of the scenario: 0x${rkey.toString(16)}`
    : `memory window ${world.windows.nameOf(found)}`;
}
