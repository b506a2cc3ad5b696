import { countingOf, HarnessError, qpAttrBits, srqAttrBits, type QpCap, type SrqAttr } from '../../contract';
import type { ArgumentsOf } from '../../verbs';
import type { Qp } from '../qp/qp';
import { postUpTo } from '../refusal';
import type { Srq } from '../srq/srq';
import { isModelled, type SendRequest } from '../qp/work-request';
import type { ModelObjects } from './objects';
import { created, destroyed, done, type Model, type ModelVerbs } from './verb';

export function qpVerbs(model: Model) {
  const { device, handles } = model;
  const caps = new WeakMap<Qp, QpCap>();
  const capOf = (qp: Qp): QpCap => {
    const cap = caps.get(qp);
    if (cap === undefined) throw new HarnessError('a QP of the simulator was made by no call');
    return cap;
  };
  return {
    ibv_create_qp: ({ pd, qpInitAttr: { cap, srq, ...init } }) => {
      const qp = device.createQp({ ...init, pd, srq: srq ?? undefined });
      caps.set(qp, cap);
      return created(handles.add('qp', qp), { qpNum: qp.qpNum, cap: { ...cap } });
    },
    ibv_modify_qp: ({ qp, attr, attrMask }) => {
      qp.modify(countingOf(qpAttrBits, attr, attrMask));
      return done();
    },
    ibv_query_qp: ({ qp }) => {
      const { qpType, sqSigAll } = qp.init;
      const cap = { ...capOf(qp) };
      return done({ attr: { ...qp.query(), cap }, initAttr: { cap, qpType, sqSigAll } });
    },
    ibv_destroy_qp: ({ qp }) => {
      device.beginDestroyQp(qp);
      return destroyed(model, qp);
    },
    ibv_post_recv: ({ qp, wrs }) => {
      const bad = qp.firstWithoutPlace(wrs, capOf(qp));
      postUpTo(wrs, bad, (taken) => {
        qp.postRecv(taken);
      });
      return done();
    },
    ibv_post_send: ({ qp, wrs }) => {
      const sends = wrs.map(sendRequestOf);
      postUpTo(sends, qp.firstTooLarge(sends, capOf(qp)), (taken) => {
        qp.postSend(taken);
      });
      return done();
    },
  } satisfies Partial<ModelVerbs>;
}

function sendRequestOf(wr: ArgumentsOf<'ibv_post_send', ModelObjects>['wrs'][number]): SendRequest {
  const { opcode } = wr;
  if (!isModelled(opcode)) throw new HarnessError(`the simulator does not know ${opcode}`);
  return { ...wr, opcode };
}

export function srqVerbs(model: Model) {
  const { device, handles } = model;
  const sizes = new WeakMap<Srq, Pick<SrqAttr, 'maxWr' | 'maxSge'>>();
  return {
    ibv_create_srq: ({ pd, srqInitAttr: { attr } }) => {
      const srq = device.createSrq(pd);
      sizes.set(srq, attr);
      return created(handles.add('srq', srq), { maxWr: 0, maxSge: 0, ...attr });
    },
    ibv_modify_srq: ({ srq, srqAttr, srqAttrMask }) => {
      const attr = countingOf(srqAttrBits, srqAttr, srqAttrMask);
      if (attr.maxWr !== undefined) sizes.set(srq, { maxSge: 0, ...sizes.get(srq), maxWr: attr.maxWr });
      srq.modify(attr);
      return done();
    },
    ibv_query_srq: ({ srq }) => {
      const { maxWr = 0, maxSge = 0 } = sizes.get(srq) ?? {};
      return done({ maxWr, maxSge, srqLimit: srq.armedLimit });
    },
    ibv_destroy_srq: ({ srq }) => {
      srq.beginDestroy();
      return destroyed(model, srq);
    },
    ibv_post_srq_recv: ({ srq, wrs }) => {
      srq.post(wrs);
      return done();
    },
  } satisfies Partial<ModelVerbs>;
}
