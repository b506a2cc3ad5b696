import type { AccessFlag, QpType, SendFlag, SendWr, WrOpcode } from '../../contract';
import type { Mr } from '../mr/memory';
import type { Mw } from '../mw/memory-window';
import type { Ah } from '../ah/address-handle';

/** The opcodes that the model knows. */
type ModelledOpcode = Exclude<WrOpcode, 'IBV_WR_TSO' | 'IBV_WR_DRIVER1'>;

/** A send WR whose objects are those of the model. */
export interface SendRequest extends Omit<SendWr, 'opcode' | 'ud' | 'bindMw'> {
  readonly opcode: ModelledOpcode;
  readonly ud?: { readonly ah: Ah; readonly remoteQpn: number; readonly remoteQkey: number };
  readonly bindMw?: {
    readonly mw: Mw;
    readonly rkey: number;
    readonly mr: Mr;
    readonly addr: bigint;
    readonly length: number;
    readonly access: readonly AccessFlag[];
  };
}

/** What the headers of its packets carry of a send WR. */
export interface Headers {
  readonly opcode: ModelledOpcode;
  /** IBV_SEND_SOLICITED or nothing: the other flags are for the sender. */
  readonly sendFlags: readonly SendFlag[];
  readonly immData: number | undefined;
  readonly invalidateRkey: number | undefined;
  readonly rdma: SendRequest['rdma'] | undefined;
  readonly atomic: SendRequest['atomic'] | undefined;
  /** Of datagrams: which QPs take them. */
  readonly qkey: number | undefined;
  /** Bytes that the message moves, in either direction. */
  readonly length: number;
}

export function headersOf(wr: SendRequest, length: number): Headers {
  const { opcode, immData, invalidateRkey, rdma, atomic, ud } = wr;
  const sendFlags = wr.sendFlags.filter((flag) => flag === 'IBV_SEND_SOLICITED');
  return { opcode, sendFlags, immData, invalidateRkey, rdma, atomic, qkey: ud?.remoteQkey, length };
}

/**
 * What an operation does with the bytes of its scatter/gather list: it sends them, takes back what the peer answers,
 * or has none because nothing leaves the device.
 */
export type LocalData = 'sent' | 'answered' | 'none';

/** An operation of ibv_post_send(3). */
export interface Operation {
  readonly wcOpcode: string;
  readonly data: LocalData;
  /** The QPs that can be asked for it. */
  readonly types: readonly QpType[];
}

const any: readonly QpType[] = ['IBV_QPT_RC', 'IBV_QPT_UC', 'IBV_QPT_UD'];
const connected: readonly QpType[] = ['IBV_QPT_RC', 'IBV_QPT_UC'];
const reliable: readonly QpType[] = ['IBV_QPT_RC'];

/** The table of ibv_post_send(3). */
export const operations: Readonly<Record<ModelledOpcode, Operation>> = {
  IBV_WR_SEND: { wcOpcode: 'IBV_WC_SEND', data: 'sent', types: any },
  IBV_WR_SEND_WITH_IMM: { wcOpcode: 'IBV_WC_SEND', data: 'sent', types: any },
  IBV_WR_SEND_WITH_INV: { wcOpcode: 'IBV_WC_SEND', data: 'sent', types: connected },
  IBV_WR_RDMA_WRITE: { wcOpcode: 'IBV_WC_RDMA_WRITE', data: 'sent', types: connected },
  IBV_WR_RDMA_WRITE_WITH_IMM: { wcOpcode: 'IBV_WC_RDMA_WRITE', data: 'sent', types: connected },
  IBV_WR_RDMA_READ: { wcOpcode: 'IBV_WC_RDMA_READ', data: 'answered', types: reliable },
  IBV_WR_ATOMIC_CMP_AND_SWP: { wcOpcode: 'IBV_WC_COMP_SWAP', data: 'answered', types: reliable },
  IBV_WR_ATOMIC_FETCH_AND_ADD: { wcOpcode: 'IBV_WC_FETCH_ADD', data: 'answered', types: reliable },
  IBV_WR_LOCAL_INV: { wcOpcode: 'IBV_WC_LOCAL_INV', data: 'none', types: connected },
  IBV_WR_BIND_MW: { wcOpcode: 'IBV_WC_BIND_MW', data: 'none', types: connected },
};

/** Whether QPs of that type can be asked for an operation. */
export const isOfType = (type: QpType, { opcode }: Pick<SendRequest, 'opcode'>): boolean =>
  operations[opcode].types.includes(type);

export const isModelled = (opcode: WrOpcode): opcode is ModelledOpcode => opcode in operations;

export const hasImmediate = ({ opcode }: Pick<SendRequest, 'opcode'>): boolean =>
  opcode === 'IBV_WR_SEND_WITH_IMM' || opcode === 'IBV_WR_RDMA_WRITE_WITH_IMM';

export const isAtomic = ({ opcode }: Pick<SendRequest, 'opcode'>): boolean =>
  opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP' || opcode === 'IBV_WR_ATOMIC_FETCH_AND_ADD';

export const isWrite = ({ opcode }: Pick<SendRequest, 'opcode'>): boolean =>
  opcode === 'IBV_WR_RDMA_WRITE' || opcode === 'IBV_WR_RDMA_WRITE_WITH_IMM';

/** Whether the peer answers with data. */
export const isAnswered = ({ opcode }: Pick<SendRequest, 'opcode'>): boolean => operations[opcode].data === 'answered';

/** Bytes of a scatter/gather list. */
export function lengthOf(sgList: SendWr['sgList']): number {
  return sgList.reduce((sum, { length }) => sum + length, 0);
}
