import type { AccessFlag, QpType, SendWr, WrOpcode } from '../contract';
import type { Ah } from './address-handle';
import type { Mr } from './memory';
import type { MemoryWindow } from './memory-window';

/** A send WR whose objects are those of the model. */
export interface SendRequest extends Omit<SendWr, 'ud' | 'bindMw'> {
  readonly ud?: { readonly ah: Ah; readonly remoteQpn: number; readonly remoteQkey: number };
  readonly bindMw?: {
    readonly mw: MemoryWindow;
    readonly rkey: number;
    readonly mr: Mr;
    readonly addr: bigint;
    readonly length: number;
    readonly access: readonly AccessFlag[];
  };
}

/**
 * What an operation does with the bytes of its scatter/gather list: it sends them, takes back what the peer answers,
 * or has none because nothing leaves the device.
 */
export type Data = 'sent' | 'answered' | 'none';

/** An operation of ibv_post_send(3). */
export interface Operation {
  readonly wcOpcode: string;
  readonly data: Data;
  /** Types of QP that take it. */
  readonly qpTypes: readonly QpType[];
  /** Whether it takes a receive at the other end. */
  readonly takesReceive: boolean;
}

const reliable: readonly QpType[] = ['IBV_QPT_RC'];
const connected: readonly QpType[] = ['IBV_QPT_RC', 'IBV_QPT_UC'];
const all: readonly QpType[] = ['IBV_QPT_RC', 'IBV_QPT_UC', 'IBV_QPT_UD'];

function operation(wcOpcode: string, data: Data, qpTypes: readonly QpType[], takesReceive = false): Operation {
  return { wcOpcode, data, qpTypes, takesReceive };
}

/** The table of ibv_post_send(3). */
export const operations: Readonly<Record<WrOpcode, Operation>> = {
  IBV_WR_SEND: operation('IBV_WC_SEND', 'sent', all, true),
  IBV_WR_SEND_WITH_IMM: operation('IBV_WC_SEND', 'sent', all, true),
  IBV_WR_SEND_WITH_INV: operation('IBV_WC_SEND', 'sent', connected, true),
  IBV_WR_RDMA_WRITE: operation('IBV_WC_RDMA_WRITE', 'sent', connected),
  IBV_WR_RDMA_WRITE_WITH_IMM: operation('IBV_WC_RDMA_WRITE', 'sent', connected, true),
  IBV_WR_RDMA_READ: operation('IBV_WC_RDMA_READ', 'answered', reliable),
  IBV_WR_ATOMIC_CMP_AND_SWP: operation('IBV_WC_COMP_SWAP', 'answered', reliable),
  IBV_WR_ATOMIC_FETCH_AND_ADD: operation('IBV_WC_FETCH_ADD', 'answered', reliable),
  IBV_WR_LOCAL_INV: operation('IBV_WC_LOCAL_INV', 'none', connected),
  IBV_WR_BIND_MW: operation('IBV_WC_BIND_MW', 'none', connected),
};

export const hasImmediate = ({ opcode }: SendRequest): boolean =>
  opcode === 'IBV_WR_SEND_WITH_IMM' || opcode === 'IBV_WR_RDMA_WRITE_WITH_IMM';

export const isAtomic = ({ opcode }: SendRequest): boolean =>
  opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP' || opcode === 'IBV_WR_ATOMIC_FETCH_AND_ADD';

export const isWrite = ({ opcode }: SendRequest): boolean =>
  opcode === 'IBV_WR_RDMA_WRITE' || opcode === 'IBV_WR_RDMA_WRITE_WITH_IMM';

/** Bytes of a scatter/gather list. */
export function lengthOf(sgList: SendWr['sgList']): number {
  return sgList.reduce((sum, { length }) => sum + length, 0);
}
