import { dutName } from '../../../../programs/bindings';
import type { ProgramStruct } from '../../../../programs/program';
import { allAccess, makeRegion, remoteRights } from '../../objects';
import { member, of, type Cq, type Qp, type QpType, type Srq, type Walk } from '../../walk';

/** Bytes of the region of each QP. */
export const sizedRegionBytes = 16384;

/** What a QP is asked to hold: struct ibv_qp_cap. */
export interface Sizes {
  readonly maxSendWr: number;
  readonly maxRecvWr: number;
  readonly maxSendSge: number;
  readonly maxRecvSge: number;
  readonly maxInlineData: number;
}

/** Requests of a queue, entries of a list, and bytes that are sent inline; each member takes any of its own. */
const requests = [1, 2, 5, 64] as const;
const entries = [1, 2, 3] as const;
const inlineBytes = [0, 1, 32, 64] as const;

export function someSizes(w: Walk): Sizes {
  const { chance } = w;
  return {
    maxSendWr: chance.one<number>(...requests),
    maxRecvWr: chance.one<number>(...requests),
    maxSendSge: chance.one<number>(...entries),
    maxRecvSge: chance.one<number>(...entries),
    maxInlineData: w.has('inline') ? chance.one<number>(...inlineBytes) : 0,
  };
}

/** An SRQ that holds what the receive queue of a QP of these sizes does. */
export async function makeSizedSrq(w: Walk, { maxRecvWr, maxRecvSge }: Sizes): Promise<Srq> {
  const srq = { name: w.name('srq'), users: new Set<Qp>() };
  const srqInitAttr = { attr: { maxWr: maxRecvWr, maxSge: maxRecvSge, srqLimit: 0 } };
  await w.call('ibv_create_srq', { pd: of(w.pd), srqInitAttr }, srq.name);
  w.srqs.push(srq);
  return srq;
}

/** What sized QPs that are to be connected have in common, and the SRQ of the second one. */
export interface SizedInit {
  readonly type: QpType;
  readonly sendCq: Cq;
  readonly recvCq: Cq;
  readonly srq: Srq | undefined;
}

/** Two QPs, each with sizes of its own. */
export async function makeSizedPair(
  w: Walk,
  init: SizedInit,
  sizes: readonly [Sizes, Sizes],
): Promise<readonly [Qp, Qp]> {
  const client = await makeSizedQp(w, { ...init, srq: undefined }, sizes[0]);
  const server = await makeSizedQp(w, init, sizes[1]);
  [client.peer, server.peer] = [server, client];
  return [client, server];
}

async function makeSizedQp(w: Walk, init: SizedInit, sizes: Sizes): Promise<Qp> {
  const { type, sendCq, recvCq, srq } = init;
  const [name, region] = [w.name('qp'), await makeRegion(w, allAccess, w.pd, sizedRegionBytes)];
  const cqs = { sendCq: of(sendCq.name), recvCq: of(recvCq.name) };
  const cap: ProgramStruct = { ...sizes };
  const qpInitAttr = { ...cqs, srq: srq === undefined ? null : of(srq.name), cap, qpType: type, sqSigAll: false };
  await w.call('ibv_create_qp', { pd: of(w.pd), qpInitAttr }, name);
  const path = { mtu: member(dutName, 'mtu'), reads: 1 };
  const given = { rnrRetry: 1, firstPsn: 0, path, rights: remoteRights };
  const qp = { ...init, ...given, name, region, signalsAll: false, state: 'RESET', ah: undefined } as Omit<Qp, 'peer'>;
  const own = Object.assign(qp, { peer: qp as Qp });
  for (const cq of [sendCq, recvCq]) cq.users.add(own);
  srq?.users.add(own);
  w.qps.push(own);
  return own;
}
