import type { DataTable } from '@cucumber/cucumber';
import { HarnessError, type RecvWr, type SendFlag, type SendWr, type Sge, type WrOpcode } from '../../drivers/contract';
import { flagsOf, rowsOf, wordOf, type Row } from '../world/cells';
import { qkey } from './connection';
import { sendWr, type WantedSend } from './messages';
import type { ObjectRef } from '../world/object-ref';
import type { ConnectedQp, VerbsWorld } from '../world/world';

const sendHeadings = [
  'wr_id',
  'opcode',
  'send_flags',
  'bytes',
  'memory',
  'imm_data',
  'remote',
  'remote_offset',
  'rkey',
  'invalidates',
  'compare_add',
  'swap',
  'to',
];

const recvHeadings = ['wr_id', 'bytes', 'memory'];

/** The `memory` of a send that has no scatter/gather list. */
const noMemory = 'none';
/** The `rkey` that a memory window had before it was bound. */
const rkeyAsAllocated = 'as allocated';

/**
 * The send WRs of a table. Without `send_flags` a send is signaled; without `memory` its content does not matter; without `to`
 * a send of a UD QP goes to its peer.
 */
export async function sendWrsOf(world: VerbsWorld, from: ConnectedQp, table: DataTable): Promise<SendWr[]> {
  const wrs: SendWr[] = [];
  for (const row of rowsOf(table, sendHeadings)) wrs.push(await sendWr(world, from, await wantedOf(world, from, row)));
  return wrs;
}

/** The receive WRs of a table, for a QP or an SRQ. */
export async function recvWrsOf(world: VerbsWorld, ref: ObjectRef, table: DataTable): Promise<RecvWr[]> {
  const wrs: RecvWr[] = [];
  for (const row of rowsOf(table, recvHeadings)) {
    const sgList = row.memory === undefined ? [await targetOf(world, ref, row)] : memoryList(world, row);
    wrs.push({ wrId: row.wr_id === undefined ? world.nextWrId() : wordOf(row.wr_id), sgList });
  }
  return wrs;
}

async function targetOf(world: VerbsWorld, ref: ObjectRef, row: Row): Promise<Sge> {
  return (await world.memoryFor(world.object(ref))).target(bytesOf(row));
}

async function wantedOf(world: VerbsWorld, from: ConnectedQp, row: Row): Promise<WantedSend> {
  const { wr_id: wrId, send_flags: sendFlags, imm_data: immData, invalidates } = row;
  const opcode = (row.opcode ?? 'IBV_WR_SEND') as WrOpcode;
  const hasList = opcode !== 'IBV_WR_LOCAL_INV' && row.memory !== noMemory;
  return {
    opcode,
    sgList: hasList ? await localList(world, from, row) : [],
    ...(wrId !== undefined && { wrId: wordOf(wrId) }),
    ...(sendFlags !== undefined && { sendFlags: flagsOf(sendFlags) as SendFlag[] }),
    ...(immData !== undefined && { immData: Number(wordOf(immData)) }),
    ...(invalidates !== undefined && { invalidateRkey: world.windows.get(invalidates).rkey }),
    ...(row.remote !== undefined && remoteOf(world, row)),
    ...(row.to !== undefined && { ud: destinationOf(world, from, row.to) }),
  };
}

async function localList(world: VerbsWorld, { qp }: ConnectedQp, row: Row): Promise<Sge[]> {
  return row.memory === undefined ? [(await world.memoryFor(qp)).source(bytesOf(row))] : memoryList(world, row);
}

/** All QPs of a port are reached over one path. */
function destinationOf(world: VerbsWorld, { ah }: ConnectedQp, name: string): NonNullable<SendWr['ud']> {
  if (ah === undefined) throw new HarnessError(`only a UD QP sends to QP "${name}" at its own choice`);
  return { ah, remoteQpn: world.qps.get(name).qp.qpNum, remoteQkey: qkey };
}

function remoteOf(world: VerbsWorld, row: Row): Pick<WantedSend, 'rdma' | 'atomic'> {
  const { remote_offset: offset, compare_add: compareAdd, swap } = row;
  const { addr, rkey } = remoteMemory(world, row);
  const remoteAddr = offset === undefined ? addr : addr + offsetOf(offset);
  if (compareAdd === undefined) return { rdma: { remoteAddr, rkey } };
  const operands = { compareAdd: wordOf(compareAdd), swap: swap === undefined ? 0n : wordOf(swap) };
  return { atomic: { remoteAddr, rkey, ...operands } };
}

/** A window is addressed by its own R_Key from the first byte on that it shows. */
function remoteMemory(world: VerbsWorld, { remote = '', rkey }: Row): { addr: bigint; rkey: number } {
  if (rkey !== undefined && rkey !== rkeyAsAllocated)
    throw new HarnessError(`"${rkey}" is not an R_Key of a memory window`);
  if (rkey === undefined && !world.windows.has(remote)) return world.memories.get(remote);
  const window = world.windows.get(remote);
  return { addr: window.addr, rkey: rkey === undefined ? window.rkey : window.mw.rkey };
}

/** One entry for each memory of the cell: `head + body`. `bytes` are those of the only one, or of each. */
function memoryList(world: VerbsWorld, row: Row): Sge[] {
  return (row.memory ?? '').split(' + ').map((name) => {
    const { addr, length, lkey } = world.memories.get(name);
    return { addr, length: bytesOf(row) ?? length, lkey };
  });
}

function bytesOf({ bytes }: Row): number | undefined {
  if (bytes === undefined) return undefined;
  if (!/^\d+$/.test(bytes)) throw new HarnessError(`"${bytes}" is not a number of bytes`);
  return Number(bytes);
}

/** Bytes, negative before the beginning. */
function offsetOf(cell: string): bigint {
  if (!/^-?\d+$/.test(cell)) throw new HarnessError(`"${cell}" is not an offset in bytes`);
  return BigInt(cell);
}
