import type { ProgramStruct } from '../../programs/program';

/** A send without memory, in place of any work of a send queue. */
export function plainSend({ wrId, sendFlags = [], ud }: ProgramStruct): ProgramStruct {
  return {
    ...(wrId !== undefined && { wrId }),
    sgList: [],
    opcode: 'IBV_WR_SEND',
    sendFlags,
    ...(ud !== undefined && { ud }),
  };
}

/** A write of nothing to nowhere, which a peer takes without a receive. */
export function plainWrite({ wrId, sendFlags }: ProgramStruct): ProgramStruct {
  return {
    ...(wrId !== undefined && { wrId }),
    sgList: [],
    opcode: 'IBV_WR_RDMA_WRITE',
    ...(sendFlags !== undefined && { sendFlags }),
    rdma: { remoteAddr: '0x0', rkey: 0 },
  };
}
