import { blankWc, check, VerbsError, type Cq, type Wc, type WcReader } from '../../drivers/contract';
import { expectCompletionRows } from './completion-table';
import { eventMsOf } from '../world/deadlines';
import { happens } from '../world/waits';
import type { Row } from '../world/cells';
import { wcRead } from './wc-read';
import type { VerbsWorld } from '../world/world';

/** The reader that a heading stands for in a table of CQEs, and the member of struct ibv_wc that it stands for. */
const readers: Readonly<Record<string, readonly [WcReader, keyof Wc]>> = {
  opcode: ['opcode', 'opcode'],
  byte_len: ['byte_len', 'byteLen'],
  imm_data: ['imm_data', 'immData'],
  invalidated_rkey: ['invalidated_rkey', 'invalidatedRkey'],
  qp_num: ['qp_num', 'qpNum'],
  src_qp: ['src_qp', 'srcQp'],
  IBV_WC_WITH_IMM: ['wc_flags', 'wcFlags'],
  IBV_WC_WITH_INV: ['wc_flags', 'wcFlags'],
  IBV_WC_GRH: ['wc_flags', 'wcFlags'],
};

/** Members that no row asks for. */
const unread: Wc = { ...blankWc, status: 'not read', opcode: 'not read' };

/** Opens a batch as soon as the CQ has a CQE. */
export async function openFilledBatch(world: VerbsWorld, cq: Cq): Promise<void> {
  const withinMs = eventMsOf(world);
  const isOpen = await happens(world.driver, () => openIfFilled(world, cq), { withinMs });
  const subject = `ibv_start_poll() of CQ ${world.cqs.nameOf(cq)}`;
  check(isOpen, { subject, expected: 'a CQE', observed: 'no CQE', withinMs });
}

/** Tries once. A CQ without a CQE stays as it was. */
export async function openIfFilled(world: VerbsWorld, cq: Cq): Promise<boolean> {
  try {
    await world.batches.open(cq);
    return true;
  } catch (error) {
    if (error instanceof VerbsError && error.errno === 'ENOENT') return false;
    throw error;
  }
}

/** Reads of the current CQE what a row names, by the readers alone, and compares it. */
export async function expectCurrentCqe(world: VerbsWorld, cq: Cq, row: Row): Promise<void> {
  const wc: Record<string, unknown> = { ...unread, ...(await world.driver.readCqEx(cq)) };
  for (const heading of Object.keys(row)) {
    const [reader, member] = readers[heading] ?? [];
    if (reader !== undefined && member !== undefined) wc[member] = await wcRead(world.driver, cq, reader);
  }
  expectCompletionRows(world, cq, [row], [wc as unknown as Wc]);
}
