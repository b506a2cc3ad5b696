import type { ProgramStruct } from '../../../../programs/program';
import { drain, drainAsync } from '../../completions';
import { typesOf } from '../../moves/lifetimes';
import { recoverPair } from '../../moves/sharing';
import { bringUp, makeCq, makePair } from '../../objects';
import { isAtomic, isSend, messageOf, needsReceive, opcodesOf, wrOf } from '../../work';
import { member, of, type Qp, type Region, type Walk } from '../../walk';
import { comeBack } from './keys';

/** A region that is a part of its memory. */
interface Part {
  readonly memory: string;
  readonly mr: string;
  /** Where it begins in its memory, and its bytes. */
  readonly at: number;
  readonly length: number;
}

/** One entry of a scatter/gather list: where it is in a region, and its bytes. */
interface Entry {
  readonly part: Part;
  readonly offset: number;
  readonly length: number;
}

const lengthOfEntry = 16;

/** Lists whose entries lie in regions of their own, of which one may end too soon or be named by a key that opens another. */
export async function gatherFromTwo(w: Walk): Promise<void> {
  const { chance } = w;
  const type = chance.pick(typesOf(w).filter((one) => one !== 'IBV_QPT_UD')) ?? 'IBV_QPT_RC';
  const cq = await makeCq(w, { cqe: 64, isEx: false });
  if (!w.cqs.includes(cq)) return;
  const init = { srq: undefined, sharesSrq: false, signalsAll: false, rnrRetry: 1, entries: 3 };
  const pair = await makePair(w, { ...init, type, cqs: [cq, cq, cq, cq] });
  for (const qp of pair) await bringUp(w, qp);
  const [client, server] = pair;
  const [here, there] = [await partsOf(w, client), await partsOf(w, server)];
  for (let rounds = chance.between(2, 3); rounds > 0 && !w.isOver; rounds--) {
    await gatherOnce(w, client, here, there);
    await drain(w, cq);
    if (pair.some((qp) => w.hasFailed(qp)) && rounds > 1) await comeBack(w, client);
  }
  await drainAsync(w);
  await recoverPair(w, client);
}

/** The region of a QP, and a small one of other memory. */
async function partsOf(w: Walk, { region }: Qp): Promise<readonly Part[]> {
  const small = { memory: w.name('mem'), mr: w.name('mr'), at: 256, length: 200 };
  await w.call('memory allocate', { length: 4096 }, small.memory);
  const args = {
    addr: member(small.memory, 'addr', small.at),
    length: small.length,
    access: ['IBV_ACCESS_LOCAL_WRITE'],
  };
  await w.call('ibv_reg_mr', { pd: of(w.pd), ...args }, small.mr);
  return [wholeOf(region), small];
}

const wholeOf = ({ memory, mr, bytes }: Region): Part => ({ memory, mr, at: 0, length: bytes });

/** An entry in each part, in any order, at its end or somewhere else. */
function entriesIn({ chance }: Walk, parts: readonly Part[]): Entry[] {
  const all = parts.map((part) => {
    const last = part.length - lengthOfEntry;
    const offset = chance.happens(0.3) ? last : 8 * chance.below(last >> 3);
    return { part, offset, length: lengthOfEntry };
  });
  return chance.happens(0.5) ? all : all.reverse();
}

/** The list of these entries, of which one may not be open. */
function listOf({ chance }: Walk, entries: readonly Entry[], isWrong: boolean): ProgramStruct[] {
  const wrong = isWrong ? chance.below(entries.length) : -1;
  // behind a memory there is that of others
  const isBeyond = chance.happens(0.6) && (entries[wrong]?.part.at ?? 0) > 0;
  return entries.map(({ part, offset, length }, index) => {
    const beyond = index === wrong && isBeyond ? part.length - offset - length + chance.one(1, 8, 64) : 0;
    const other = index === wrong && !isBeyond ? entries[1 - index]?.part : undefined;
    const lkey = member((other ?? part).mr, 'lkey');
    return { addr: member(part.mr, 'addr', offset + beyond), length, lkey };
  });
}

async function gatherOnce(w: Walk, client: Qp, here: readonly Part[], there: readonly Part[]): Promise<void> {
  const { chance } = w;
  const opcode = chance.pick(opcodesOf(w, client).filter((one) => !isAtomic(one))) ?? 'IBV_WR_SEND';
  const [own, others] = [entriesIn(w, here), entriesIn(w, there)];
  const [isWrong, isWrongThere] = [chance.happens(0.3), chance.happens(0.15)];
  const length = own.length * lengthOfEntry;
  const message = messageOf(w, client, opcode, { length, flags: ['IBV_SEND_SIGNALED'], entries: 2 });
  const comes = opcode === 'IBV_WR_RDMA_READ';
  const { peer } = client;
  if (comes) await fill(w, { part: wholeOf(peer.region), offset: message.remote, length });
  else for (const entry of own) await fill(w, entry);
  if (needsReceive(opcode)) {
    const wrs = [{ wrId: w.wrId(), sgList: listOf(w, others, isWrongThere) }];
    await w.call('ibv_post_recv', { qp: of(peer.name), wrs });
  }
  const wr = { ...wrOf(w, client, message), sgList: listOf(w, own, isWrong) };
  await w.call('ibv_post_send', { qp: of(client.name), wrs: [wr] });
  await w.settle();
  // what stands before a wrong entry may have been filled
  if (comes) for (const entry of isWrong ? [] : own) await lookAt(w, entry);
  else if (isSend(opcode)) for (const entry of isWrongThere ? [] : others) await lookAt(w, entry);
  else await lookAt(w, { part: wholeOf(peer.region), offset: message.remote, length });
}

async function fill(w: Walk, { part, offset, length }: Entry): Promise<void> {
  await w.call('memory write', { addr: member(part.memory, 'addr', part.at + offset), bytes: w.payload(length) });
}

async function lookAt(w: Walk, { part, offset, length }: Entry): Promise<void> {
  await w.call('memory read', { addr: member(part.memory, 'addr', part.at + offset), length });
}
