import type { CallOp, ProgramStruct, ProgramValue } from '../../../../drivers/programs/program';
import { hex } from './numbers';
import type { Resources } from './resources';

/** What a call is for the kernel: lines of a program, or nothing. */
export type Command = (op: CallOp, resources: Resources) => readonly string[] | undefined;

const device = "openat$uverbs0(0xffffffffffffff9c, &AUTO='/dev/infiniband/uverbs0\\x00', 0x2, 0x0)";

/** Words of the head of a command: its number, what is written and what comes back, in words of 4 bytes. */
const head = (command: number, inWords: number, outWords: number): string =>
  [command, inWords, outWords].map((word) => hex(word)).join(', ');

const write = (name: string, context: string, fields: readonly string[]): string =>
  `write$${name}(${context}, &AUTO={${fields.join(', ')}}, AUTO)`;

const zeros = (count: number): string[] => Array.from({ length: count }, () => '0x0');
const out = (variable: string, more = 0, none = '0x0'): string =>
  `&AUTO={${[`<${variable}=>${none}`, ...zeros(more)].join(', ')}}`;
const structIn = (args: ProgramStruct, name: string): ProgramStruct => (args[name] ?? {}) as ProgramStruct;

/** Makes an object: of the context of the first that it is made of. */
function making(
  name: string,
  parent: string,
  fields: (op: CallOp, resources: Resources, made: string) => readonly string[],
): Command {
  return (op, resources) => {
    const context = resources.get(op.args[parent])?.context;
    if (context === undefined) return undefined;
    return [write(name, context, fields(op, resources, resources.make(op, context)))];
  };
}

/** Ends an object. */
function ending(name: string, object: string, fields: (variable: string) => readonly string[]): Command {
  return ({ args }, resources) => {
    const found = resources.get(args[object]);
    if (found === undefined) return undefined;
    resources.end(args[object]);
    return [write(name, found.context, fields(found.variable))];
  };
}

const objectCommands: Readonly<Record<string, Command>> = {
  ibv_open_device: (op, resources) => {
    const variable = resources.open(op);
    return [`${variable} = ${device}`, write('MLX5_GET_CONTEXT', variable, [head(0, 0xc, 0x12), '&AUTO', ...zeros(8)])];
  },
  ibv_alloc_pd: making('ALLOC_PD', 'context', (_op, _resources, made) => [head(3, 4, 1), out(made), '[]']),
  ibv_dealloc_pd: ending('DEALLOC_PD', 'pd', (pd) => [head(4, 3, 0), pd]),
  ibv_create_comp_channel: (op, resources) => {
    const context = resources.get(op.args.context)?.context;
    if (context === undefined) return undefined;
    const made = resources.make(op, context, false);
    return [write('CREATE_COMP_CHANNEL', context, [head(0x11, 4, 1), out(made, 0, '0xffffffffffffffff')])];
  },
  ibv_reg_mr: making('REG_MR', 'pd', ({ args }, resources, made) => {
    const address = resources.address(args.addr);
    const memory = [`&(${address})=0x0`, hex(args.length, 8), `&(${address})`];
    return [head(9, 0xc, 3), out(made, 2), ...memory, resources.variable(args.pd), hex(args.access), '[]'];
  }),
  // The descriptions have the structs of these two changed over.
  ibv_dereg_mr: ending('REREG_MR', 'mr', (mr) => [head(0xd, 3, 0), mr]),
  ibv_alloc_mw: making('ALLOC_MW', 'pd', ({ args }, resources, made) => [
    head(0xe, 6, 2),
    out(made, 1),
    resources.variable(args.pd),
    hex(args.type, 1),
    ...zeros(2),
  ]),
  ibv_dealloc_mw: ending('DEALLOC_MW', 'mw', (mw) => [head(0x10, 4, 0), mw, '0x0']),
  // Its handle is a plain number in the descriptions, so that nothing can name it.
  ibv_create_ah: making('CREATE_AH', 'pd', ({ args }, resources) => {
    const attr = structIn(args, 'attr');
    const pd = [...zeros(1), resources.variable(args.pd), '0x0'];
    return [head(5, 0x10, 1), '&AUTO', ...pd, ...pathOf(attr), ...zeros(1)];
  }),
};

/** struct ib_uverbs_ah_attr as it lies in CREATE_AH: the GID of the peer is that of the machine, which nobody knows here. */
function pathOf(attr: ProgramStruct): string[] {
  const grh = structIn(attr, 'grh');
  return [
    `"${'00'.repeat(16)}"`,
    hex(grh.flowLabel),
    '0x0',
    hex(grh.hopLimit, 1),
    hex(grh.trafficClass, 1),
    '0x0',
    hex(attr.dlid, 2),
    hex(attr.sl, 1),
    hex(attr.srcPathBits, 1),
    hex(attr.staticRate, 1),
    hex(attr.isGlobal, 1),
    '0x1',
  ];
}

const queueCommands: Readonly<Record<string, Command>> = {
  ibv_create_cq: making('CREATE_CQ', 'context', ({ args }, _resources, made) => cqFields(args, made)),
  ibv_create_cq_ex: making('CREATE_CQ', 'context', ({ args }, _resources, made) =>
    cqFields(structIn(args, 'cqAttr'), made),
  ),
  ibv_resize_cq: ({ args }, resources) => {
    const cq = resources.get(args.cq);
    return cq && [write('RESIZE_CQ', cq.context, [head(0x13, 6, 6), '&AUTO', cq.variable, hex(args.cqe), '[]'])];
  },
  ibv_req_notify_cq: ({ args }, resources) => {
    const cq = resources.get(args.cq);
    return cq && [write('REQ_NOTIFY_CQ', cq.context, [head(0x17, 4, 0), cq.variable, hex(args.solicitedOnly)])];
  },
  ibv_destroy_cq: ending('DESTROY_CQ', 'cq', (cq) => [head(0x14, 6, 2), '&AUTO', cq, '0x0']),
  ibv_create_srq: making('CREATE_SRQ', 'pd', ({ args }, resources, made) => {
    const { maxWr, maxSge, srqLimit } = structIn(structIn(args, 'srqInitAttr'), 'attr');
    const sizes = [maxWr, maxSge, srqLimit].map((size) => hex(size));
    return [head(0x20, 0xa, 0xa), out(made, 3), '0x0', resources.variable(args.pd), ...sizes, '[]'];
  }),
  ibv_modify_srq: ({ args }, resources) => {
    const srq = resources.get(args.srq);
    const { maxWr, srqLimit } = structIn(args, 'srqAttr');
    const fields = [hex(args.srqAttrMask), hex(maxWr), hex(srqLimit), '[]'];
    return srq && [write('MODIFY_SRQ', srq.context, [head(0x21, 6, 0), srq.variable, ...fields])];
  },
  ibv_destroy_srq: ending('DESTROY_SRQ', 'srq', (srq) => [head(0x23, 6, 1), '&AUTO', srq, '0x0']),
  ibv_create_qp: making('CREATE_QP', 'pd', ({ args }, resources, made) => qpFields(args, resources, made)),
  ibv_modify_qp: ({ args }, resources) => {
    const qp = resources.get(args.qp);
    return qp && [write('MODIFY_QP', qp.context, [head(0x1a, 0x1e, 0), ...attrFields(args, hex(qp.handle))])];
  },
  ibv_destroy_qp: ending('DESTROY_QP', 'qp', (qp) => [head(0x1b, 6, 1), '&AUTO', qp, '0x0']),
};

/** The channel is a plain number in the descriptions, which no descriptor can be given for: there is none. */
function cqFields({ cqe, compVector }: ProgramStruct, made: string): string[] {
  return [head(0x12, 0xa, 6), out(made, 1), '0x0', hex(cqe), hex(compVector), '0xffffffff', '0x0', '[]'];
}

function qpFields(args: ProgramStruct, resources: Resources, made: string): string[] {
  const attr = structIn(args, 'qpInitAttr');
  const { maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineData } = structIn(attr, 'cap');
  const objects = [args.pd, attr.sendCq, attr.recvCq, attr.srq].map((value: ProgramValue | undefined) =>
    resources.variable(value),
  );
  const sizes = [maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineData].map((size) => hex(size));
  const isShared = attr.srq !== null && attr.srq !== undefined;
  const kinds = [hex(attr.sqSigAll, 1), hex(attr.qpType, 1), hex(isShared, 1), '0x0'];
  return [head(0x18, 0x10, 0x10), out(made, 7), '0x0', ...objects, ...sizes, ...kinds, '[]'];
}

function attrFields(args: ProgramStruct, handle: string): string[] {
  const attr = structIn(args, 'attr');
  const { qkey, rqPsn, sqPsn, destQpNum, qpAccessFlags, qpState, curQpState, pathMtu, pathMigState } = attr;
  const { enSqdAsyncNotify, maxRdAtomic, maxDestRdAtomic, minRnrTimer, timeout, retryCnt, rnrRetry } = attr;
  const words = [args.attrMask, qkey, rqPsn, sqPsn, destQpNum, qpAccessFlags].map((value) => hex(value));
  const states = [
    qpState,
    curQpState,
    pathMtu,
    pathMigState,
    enSqdAsyncNotify,
    maxRdAtomic,
    maxDestRdAtomic,
    minRnrTimer,
  ];
  const bytes = [
    ...states.map((value) => hex(value, 1)),
    '0x1',
    ...[timeout, retryCnt, rnrRetry].map((value) => hex(value, 1)),
  ];
  return [...routeOf(structIn(attr, 'ahAttr')), ...routeOf({}), handle, ...words, '0x0', '0x0', ...bytes, ...zeros(3)];
}

/** struct ib_uverbs_qp_dest: another order than that of an address handle. */
function routeOf(attr: ProgramStruct): string[] {
  const [gid, flow, , hops, traffic, , lid, sl, bits, rate, isGlobal, port] = pathOf(attr);
  return [gid, flow, lid, '0x0', '0x0', hops, traffic, sl, bits, rate, isGlobal, port].map((field) => field ?? '0x0');
}

/** The calls that are commands of the kernel. */
export const commands: Readonly<Record<string, Command>> = { ...objectCommands, ...queueCommands };
