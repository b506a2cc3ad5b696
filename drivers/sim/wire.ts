import type { AhAttr, QpAttr, QpType, RecvWr, SrqAttr, TraceStruct } from '../contract';
import { stringOf, structOf, structsOf } from '../pipeline/values';
import { Ah } from './ah/address-handle';
import type { Handles } from './handles';
import { Mr } from './mr/memory';
import { Mw } from './mw/memory-window';
import type { SendRequest } from './qp/work-request';

/**
 * Arguments of verbs as structs of the contract. `VerbsDriver` made them from such structs, so they are taken as they
 * are; only handles become objects of the model.
 */
export const qpAttrOf = (args: TraceStruct): QpAttr => structOf(args, 'attr');

export const ahAttrOf = (args: TraceStruct): AhAttr => structOf(args, 'attr') as unknown as AhAttr;

export const srqAttrOf = (args: TraceStruct): Partial<SrqAttr> => structOf(args, 'attr');

export const recvWrsOf = (args: TraceStruct): RecvWr[] => structsOf(args, 'wrs') as unknown as RecvWr[];

export const qpTypeOf = (args: TraceStruct): QpType => stringOf(args, 'qpType') as QpType;

export function sendWrsOf(handles: Handles, args: TraceStruct): SendRequest[] {
  return structsOf(args, 'wrs').map(
    (wr) => ({ ...wr, ...udOf(handles, wr), ...bindMwOf(handles, wr) }) as unknown as SendRequest,
  );
}

function udOf(handles: Handles, wr: TraceStruct): object {
  if (wr.ud === undefined) return {};
  const ud = structOf(wr, 'ud');
  return { ud: { ...ud, ah: handles.get(stringOf(ud, 'ah'), Ah) } };
}

function bindMwOf(handles: Handles, wr: TraceStruct): object {
  if (wr.bindMw === undefined) return {};
  const bindMw = structOf(wr, 'bindMw');
  const mw = handles.get(stringOf(bindMw, 'mw'), Mw);
  return { bindMw: { ...bindMw, mw, mr: handles.get(stringOf(bindMw, 'mr'), Mr) } };
}
