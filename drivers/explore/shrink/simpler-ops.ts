import { isCall, isParallel, type CallOp, type Op, type ProgramStruct } from '../../programs/program';
import { descriptionOf } from '../../verbs';
import { qpAttrBits } from '../../verbs/qp';
import { plainSend, plainWrite } from './plain-send';
import { isStruct } from './values';

/** The bits by which a mask names the attributes of a QP. */
const bits: Readonly<Record<string, string>> = qpAttrBits;

/** Simpler operations in place of one. */
export function* simplerOps(op: Op): Generator<readonly Op[]> {
  if (isParallel(op)) {
    yield op.par.flat();
    yield [...op.par].reverse().flat();
    for (const [at, thread] of op.par.entries()) {
      for (let index = 0; index < thread.length; index++) {
        yield [{ par: op.par.map((one, place) => (place === at ? one.filter((_, where) => where !== index) : one)) }];
      }
    }
  } else if (isCall(op)) for (const args of simplerArgs(op)) yield [{ ...op, args }];
}

function* simplerArgs({ call, args }: CallOp): Generator<ProgramStruct> {
  const { wrs, numEntries, attr, attrMask } = args;
  if (call === 'ibv_modify_qp' && isStruct(attr) && Array.isArray(attrMask)) {
    const named = Object.entries(attr).filter(([name]) => attrMask.includes(bits[name]));
    yield { ...args, attr: Object.fromEntries(named) };
  }
  if (Array.isArray(wrs)) yield* simplerLists(call, args, wrs as readonly ProgramStruct[]);
  if (typeof numEntries === 'number' && numEntries > 1) yield { ...args, numEntries: numEntries >> 1 };
  const types: Readonly<Record<string, unknown>> = Object.assign({}, ...descriptionOf(call).in) as Record<
    string,
    unknown
  >;
  for (const name of ['channel', 'srq'])
    if (name in types && args[name] !== null && name in args) yield { ...args, [name]: null };
  for (const name of ['cqAttr', 'qpInitAttr']) {
    const attr = args[name];
    if (isStruct(attr)) for (const plain of plainer(attr)) yield { ...args, [name]: plain };
  }
}

/** A struct with the plainest value in one of its members. */
function* plainer(attr: ProgramStruct): Generator<ProgramStruct> {
  for (const [member, plain] of Object.entries(plainest)) {
    if (member in attr && JSON.stringify(attr[member]) !== JSON.stringify(plain)) yield { ...attr, [member]: plain };
  }
}

const plainest: ProgramStruct = {
  channel: null,
  srq: null,
  wcFlags: [],
  flags: [],
  compMask: [],
  cqContext: '0x0',
  cap: { maxSendWr: 1, maxRecvWr: 1, maxSendSge: 1, maxRecvSge: 1, maxInlineData: 0 },
};

function* simplerLists(call: string, args: ProgramStruct, wrs: readonly ProgramStruct[]): Generator<ProgramStruct> {
  if (wrs.length > 1)
    for (let at = 0; at < wrs.length; at++) yield { ...args, wrs: wrs.filter((_, index) => index !== at) };
  for (const [at, wr] of wrs.entries()) {
    const replace = (other: ProgramStruct): ProgramStruct => ({
      ...args,
      wrs: wrs.map((one, index) => (index === at ? other : one)),
    });
    if (call === 'ibv_post_send') for (const plain of [plainSend(wr), plainWrite(wr)]) yield replace(plain);
    if (Array.isArray(wr.sgList) && wr.sgList.length > 0) yield replace({ ...wr, sgList: [] });
    const { sendFlags } = wr;
    if (!Array.isArray(sendFlags)) continue;
    for (const flag of sendFlags) yield replace({ ...wr, sendFlags: sendFlags.filter((one) => one !== flag) });
  }
}
