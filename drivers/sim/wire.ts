import {
  HarnessError,
  type QpAttr,
  type QpCap,
  type QpType,
  type RecvWr,
  type SrqAttr,
  type TraceStruct,
} from '../contract';
import { stringOf, structOf, structsOf } from '../values';
import { Ah } from './address-handle';
import type { Handles } from './handles';
import { Mr } from './memory';
import { MemoryWindow } from './memory-window';
import { operations, type SendRequest } from './work-request';

/**
 * Arguments of verbs as structs of the contract. `VerbsDriver` made them from such structs, so they are taken as they
 * are; only handles become objects of the model.
 */
export const qpAttrOf = (args: TraceStruct): QpAttr => structOf(args, 'attr');

export const qpCapOf = (args: TraceStruct): QpCap => structOf(args, 'cap') as unknown as QpCap;

export const srqAttrOf = (args: TraceStruct): Partial<SrqAttr> => structOf(args, 'attr');

export const recvWrsOf = (args: TraceStruct): RecvWr[] => structsOf(args, 'wrs') as unknown as RecvWr[];

export function qpTypeOf(args: TraceStruct): QpType {
  const qpType = stringOf(args, 'qpType');
  if (qpType === 'IBV_QPT_RC' || qpType === 'IBV_QPT_UC' || qpType === 'IBV_QPT_UD') return qpType;
  throw new HarnessError(`the simulator knows no QP of type ${qpType}`);
}

export function sendWrsOf(handles: Handles, args: TraceStruct): SendRequest[] {
  return structsOf(args, 'wrs').map((wr) => {
    if (!Object.hasOwn(operations, stringOf(wr, 'opcode'))) {
      throw new HarnessError(`the simulator knows no operation ${stringOf(wr, 'opcode')}`);
    }
    return { ...wr, ...udOf(handles, wr), ...bindMwOf(handles, wr) } as unknown as SendRequest;
  });
}

function udOf(handles: Handles, wr: TraceStruct): object {
  if (wr.ud === undefined) return {};
  const ud = structOf(wr, 'ud');
  return { ud: { ...ud, ah: handles.get(stringOf(ud, 'ah'), Ah) } };
}

function bindMwOf(handles: Handles, wr: TraceStruct): object {
  if (wr.bindMw === undefined) return {};
  const bindMw = structOf(wr, 'bindMw');
  const mw = handles.get(stringOf(bindMw, 'mw'), MemoryWindow);
  return { bindMw: { ...bindMw, mw, mr: handles.get(stringOf(bindMw, 'mr'), Mr) } };
}
