import {
  isCall,
  isParallel,
  type CallOp,
  type Op,
  type ProgramStruct,
  type ProgramValue,
} from '../../programs/program';

/** What the queues of a device take. */
export interface Sizes {
  /** Entries of a scatter/gather list. */
  readonly entries: number;
  /** Entries of that of an RDMA read, which may be fewer. */
  readonly readEntries: number;
  /** Bytes that IBV_SEND_INLINE takes out of memory. */
  readonly inlineBytes: number;
}

/** Those of a device that takes whatever a program asks for. */
export const anySizes: Sizes = { entries: Infinity, readEntries: Infinity, inlineBytes: Infinity };

/** A request as a program has it. */
interface Request extends ProgramStruct {
  readonly sgList: readonly ProgramStruct[];
}

/**
 * The same for a device whose queues take less: entries beyond the last one of a list become one with it, and what is too long
 * to be inline is not.
 */
export function withinSizes(op: Op, sizes: Sizes): Op {
  if (isParallel(op)) return { par: op.par.map((thread) => thread.map((one) => withinSizes(one, sizes))) };
  return isCall(op) ? { ...op, args: argumentsOf(op, sizes) } : op;
}

function argumentsOf({ call, args }: CallOp, sizes: Sizes): ProgramStruct {
  const { entries, inlineBytes } = sizes;
  if (call === 'ibv_create_qp')
    return atMost(args, 'qpInitAttr', 'cap', { maxSendSge: entries, maxRecvSge: entries, maxInlineData: inlineBytes });
  if (call === 'ibv_create_srq') return atMost(args, 'srqInitAttr', 'attr', { maxSge: entries });
  if (!Array.isArray(args.wrs)) return args;
  return { ...args, wrs: (args.wrs as Request[]).map((wr) => requestWithin(wr, sizes)) };
}

/** What is made asks for no more of these members. */
function atMost(
  args: ProgramStruct,
  attr: string,
  part: string,
  most: Readonly<Record<string, number>>,
): ProgramStruct {
  const init = args[attr] as ProgramStruct;
  const asked = init[part] as ProgramStruct;
  const less = Object.entries(most).map(([name, size]) => [name, Math.min(Number(asked[name]), size)] as const);
  return { ...args, [attr]: { ...init, [part]: { ...asked, ...Object.fromEntries(less) } } };
}

function requestWithin(wr: Request, { entries, readEntries, inlineBytes }: Sizes): Request {
  const most = wr.opcode === 'IBV_WR_RDMA_READ' ? Math.min(entries, readEntries) : entries;
  const { sendFlags } = wr;
  const isTooLong = lengthOf(wr.sgList) > inlineBytes;
  const flags = isTooLong && Array.isArray(sendFlags) ? { sendFlags: withoutInline(sendFlags as string[]) } : {};
  return { ...wr, ...flags, sgList: joined(wr.sgList, most) };
}

const withoutInline = (flags: readonly string[]): string[] => flags.filter((flag) => flag !== 'IBV_SEND_INLINE');

const lengthOf = (list: readonly ProgramStruct[]): number => list.reduce((sum, { length }) => sum + Number(length), 0);

function joined(list: readonly ProgramStruct[], most: number): readonly ProgramStruct[] {
  const [last, ...beyond] = list.slice(most - 1);
  if (last === undefined || beyond.length === 0) return list;
  const length: ProgramValue = lengthOf([last, ...beyond]);
  return [...list.slice(0, most - 1), { ...last, length }];
}
