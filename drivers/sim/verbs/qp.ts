import type { TraceStruct } from '../../contract';
import type { VerbName } from '../../pipeline/conventions';
import { handleOrNull, stringOf } from '../../pipeline/values';
import { Cq } from '../cq/cq';
import type { Handles } from '../handles';
import { Pd } from '../pd/pd';
import { Qp, type QpInit } from '../qp/qp';
import { Srq } from '../srq/srq';
import { qpAttrOf, qpTypeOf, recvWrsOf, sendWrsOf, srqAttrOf } from '../wire';
import { created, destroyed, done, type Model, type Verb } from './verb';

export function qpVerbs(model: Model) {
  const { device, handles } = model;
  const qpOf = (args: TraceStruct): Qp => handles.get(stringOf(args, 'qp'), Qp);
  return {
    ibv_create_qp: (args) => {
      const qp = device.createQp(qpInitOf(handles, args));
      return created(handles.add(Qp, qp), { qpNum: qp.qpNum });
    },
    ibv_modify_qp: (args) => {
      qpOf(args).modify(qpAttrOf(args));
      return done();
    },
    ibv_destroy_qp: (args) => {
      const qp = qpOf(args);
      device.beginDestroyQp(qp);
      return destroyed(model, stringOf(args, 'qp'), qp);
    },
    ibv_post_recv: (args) => {
      qpOf(args).postRecv(recvWrsOf(args));
      return done();
    },
    ibv_post_send: (args) => {
      qpOf(args).postSend(sendWrsOf(handles, args));
      return done();
    },
  } satisfies Partial<Record<VerbName, Verb>>;
}

function qpInitOf(handles: Handles, args: TraceStruct): QpInit {
  const srq = handleOrNull(args, 'srq');
  return {
    pd: handles.get(stringOf(args, 'pd'), Pd),
    qpType: qpTypeOf(args),
    sendCq: handles.get(stringOf(args, 'sendCq'), Cq),
    recvCq: handles.get(stringOf(args, 'recvCq'), Cq),
    srq: srq === null ? undefined : handles.get(srq, Srq),
    sqSigAll: args.sqSigAll === true,
  };
}

export function srqVerbs(model: Model) {
  const { device, handles } = model;
  const srqOf = (args: TraceStruct): Srq => handles.get(stringOf(args, 'srq'), Srq);
  return {
    ibv_create_srq: (args) => {
      const srq = device.createSrq(handles.get(stringOf(args, 'pd'), Pd));
      srq.modify(srqAttrOf(args));
      return created(handles.add(Srq, srq));
    },
    ibv_modify_srq: (args) => {
      srqOf(args).modify(srqAttrOf(args));
      return done();
    },
    ibv_destroy_srq: (args) => {
      const srq = srqOf(args);
      srq.beginDestroy();
      return destroyed(model, stringOf(args, 'srq'), srq);
    },
    ibv_post_srq_recv: (args) => {
      srqOf(args).post(recvWrsOf(args));
      return done();
    },
  } satisfies Partial<Record<VerbName, Verb>>;
}
