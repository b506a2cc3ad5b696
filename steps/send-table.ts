import type { DataTable } from '@cucumber/cucumber';
import { HarnessError, type RecvWr, type SendFlag, type SendWr, type Sge, type WrOpcode } from '../drivers/contract';
import { flagsOf, rowsOf, wordOf, type Row } from './cells';
import { sendWr, type WantedSend } from './messages';
import type { ConnectedQp, VerbsWorld } from './world';

const sendHeadings = [
  'wr_id',
  'opcode',
  'send_flags',
  'bytes',
  'memory',
  'imm_data',
  'remote',
  'invalidates',
  'compare_add',
  'swap',
];

const recvHeadings = ['wr_id', 'bytes', 'memory'];

/** The send WRs of a table. Without `send_flags` a send is signaled; without `memory` its content does not matter. */
export async function sendWrsOf(world: VerbsWorld, from: ConnectedQp, table: DataTable): Promise<SendWr[]> {
  const wrs: SendWr[] = [];
  for (const row of rowsOf(table, sendHeadings)) wrs.push(await sendWr(world, from, await wantedOf(world, row)));
  return wrs;
}

/** The receive WRs of a table. */
export async function recvWrsOf(world: VerbsWorld, table: DataTable): Promise<RecvWr[]> {
  const wrs: RecvWr[] = [];
  for (const row of rowsOf(table, recvHeadings)) {
    const sge = row.memory === undefined ? (await world.memory()).target(bytesOf(row)) : memorySge(world, row);
    wrs.push({ wrId: row.wr_id === undefined ? world.nextWrId() : wordOf(row.wr_id), sgList: [sge] });
  }
  return wrs;
}

async function wantedOf(world: VerbsWorld, row: Row): Promise<WantedSend> {
  const { wr_id: wrId, send_flags: sendFlags, imm_data: immData, invalidates } = row;
  const opcode = (row.opcode ?? 'IBV_WR_SEND') as WrOpcode;
  const local = row.memory === undefined ? (await world.memory()).source(bytesOf(row)) : memorySge(world, row);
  return {
    opcode,
    sgList: opcode === 'IBV_WR_LOCAL_INV' ? [] : [local],
    ...(wrId !== undefined && { wrId: wordOf(wrId) }),
    ...(sendFlags !== undefined && { sendFlags: flagsOf(sendFlags) as SendFlag[] }),
    ...(immData !== undefined && { immData: Number(wordOf(immData)) }),
    ...(invalidates !== undefined && { invalidateRkey: world.windows.get(invalidates).rkey }),
    ...(row.remote !== undefined && remoteOf(world, row)),
  };
}

function remoteOf(world: VerbsWorld, row: Row): Pick<WantedSend, 'rdma' | 'atomic'> {
  const { remote = '', compare_add: compareAdd, swap } = row;
  const { addr, rkey } = remoteMemory(world, remote);
  if (compareAdd === undefined) return { rdma: { remoteAddr: addr, rkey } };
  const operands = { compareAdd: wordOf(compareAdd), swap: swap === undefined ? 0n : wordOf(swap) };
  return { atomic: { remoteAddr: addr, rkey, ...operands } };
}

/** A window is addressed as the memory that it lies on, by its own R_Key. */
function remoteMemory(world: VerbsWorld, name: string): { addr: bigint; rkey: number } {
  if (!world.windows.has(name)) return world.memories.get(name);
  const { mr, rkey } = world.windows.get(name);
  return { addr: mr.addr, rkey };
}

function memorySge(world: VerbsWorld, row: Row): Sge {
  const { addr, length, lkey } = world.memories.get(row.memory ?? '');
  return { addr, length: bytesOf(row) ?? length, lkey };
}

function bytesOf({ bytes }: Row): number | undefined {
  if (bytes === undefined) return undefined;
  if (!/^\d+$/.test(bytes)) throw new HarnessError(`"${bytes}" is no number of bytes`);
  return Number(bytes);
}
