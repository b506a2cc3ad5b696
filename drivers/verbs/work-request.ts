import { enumeration, flags, hex32, list, nullable, object, placeIn, size, struct, u32, u64 } from './idl';
import type { Contract } from './kinds';
import { accessFlags } from './mr';
import { verb } from './verb';

/** Opcodes of ibv_post_send(3). */
export const wrOpcode = enumeration('ibv_wr_opcode', [
  'IBV_WR_RDMA_WRITE',
  'IBV_WR_RDMA_WRITE_WITH_IMM',
  'IBV_WR_SEND',
  'IBV_WR_SEND_WITH_IMM',
  'IBV_WR_RDMA_READ',
  'IBV_WR_ATOMIC_CMP_AND_SWP',
  'IBV_WR_ATOMIC_FETCH_AND_ADD',
  'IBV_WR_LOCAL_INV',
  'IBV_WR_BIND_MW',
  'IBV_WR_SEND_WITH_INV',
  'IBV_WR_TSO',
  'IBV_WR_DRIVER1',
]);
export type WrOpcode = Contract<typeof wrOpcode>;

const sendFlags = flags('ibv_send_flags', [
  'IBV_SEND_FENCE',
  'IBV_SEND_SIGNALED',
  'IBV_SEND_SOLICITED',
  'IBV_SEND_INLINE',
  'IBV_SEND_IP_CSUM',
]);
export type SendFlag = Contract<typeof sendFlags>[number];

/** struct ibv_sge: a stretch of registered memory. */
const sge = struct('ibv_sge', {
  addr: u64,
  /** Bytes. */
  length: u32,
  lkey: hex32,
});
export interface Sge extends Contract<typeof sge> {}

/** struct ibv_recv_wr of ibv_post_recv(3) and ibv_post_srq_recv(3). */
const recvWr = struct('ibv_recv_wr', { wrId: u64, sgList: list(sge) });
export interface RecvWr extends Contract<typeof recvWr> {}

const remote = { remoteAddr: u64, rkey: hex32 };

/** struct ibv_send_wr of ibv_post_send(3); the opcode and the type of the QP say which of the optional members it takes. */
const sendWr = struct(
  'ibv_send_wr',
  { wrId: u64, sgList: list(sge), opcode: wrOpcode, sendFlags },
  {
    /** The immediate as a number; it travels in network byte order, first the highest byte. */
    immData: hex32,
    /** The R_Key that the receiver, or with IBV_WR_LOCAL_INV the sender, invalidates. */
    invalidateRkey: hex32,
    rdma: struct('wr.rdma', remote),
    /** `compareAdd` is what to compare with, or to add. */
    atomic: struct('wr.atomic', { ...remote, compareAdd: u64, swap: u64 }),
    /** Where a UD message goes. */
    ud: struct('wr.ud', { ah: object('ah'), remoteQpn: hex32, remoteQkey: hex32 }),
    /** `rkey` is the R_Key that the memory window is to have. */
    bindMw: struct('bind_mw', {
      mw: object('mw'),
      rkey: hex32,
      mr: object('mr'),
      addr: u64,
      /** Bytes. */
      length: size,
      access: accessFlags,
    }),
  },
);
export interface SendWr extends Contract<typeof sendWr> {}

const qp = object('qp');

/** The place in the list of the first work request that was refused. */
const records = { badWr: nullable(placeIn('wrs')) };

/** Posting of work requests, as lists. */
export const workRequestVerbs = {
  /** Posts receives as one list: ibv_post_recv(3). */
  postRecv: verb({
    c: 'ibv_post_recv',
    page: 'ibv_post_recv(3)',
    fails: 'errno',
    in: [{ qp }, { wrs: list(recvWr) }],
    records,
    fills: ['badWr'],
  }),
  /** Posts sends as one list: ibv_post_send(3). */
  postSend: verb({
    c: 'ibv_post_send',
    page: 'ibv_post_send(3)',
    fails: 'errno',
    in: [{ qp }, { wrs: list(sendWr) }],
    records,
    fills: ['badWr'],
  }),
  /** Posts receives as one list: ibv_post_srq_recv(3). */
  postSrqRecv: verb({
    c: 'ibv_post_srq_recv',
    page: 'ibv_post_srq_recv(3)',
    fails: 'errno',
    in: [{ srq: object('srq') }, { wrs: list(recvWr) }],
    records,
    fills: ['badWr'],
  }),
};
