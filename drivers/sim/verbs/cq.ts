import type { TraceValue } from '../../contract';
import type { VerbName } from '../../verbs';
import { wcReaderMethods, type WcReader } from '../../verbs/cq-ex';
import type { Cq } from '../cq/cq';
import { created, done, destroyed, type Model, type ModelVerbs } from './verb';

export function cqVerbs(model: Model) {
  const { device, handles } = model;
  return {
    ibv_create_cq: ({ context, channel, ...init }) => {
      const cq = device.createCq(context, init, channel ?? undefined);
      return created(handles.add('cq', cq), { cqe: cq.cqe });
    },
    ibv_destroy_cq: ({ cq }) => {
      cq.beginDestroy();
      return destroyed(model, cq);
    },
    ibv_resize_cq: ({ cq, cqe }) => {
      cq.resize(cqe);
      return done();
    },
    ibv_modify_cq: ({ cq, attr: { attrMask, moderate } }) => {
      cq.modify({ attrMask, ...moderate });
      return done();
    },
    ibv_req_notify_cq: ({ cq, solicitedOnly }) => {
      cq.arm(solicitedOnly);
      return done();
    },
    ibv_poll_cq: ({ cq, numEntries }) => {
      const cqes = cq.poll(numEntries);
      const wc = cqes.slice(0, numEntries).map(({ wc }) => ({ ...wc }));
      return done({ wc, overflowed: cqes.length > numEntries }, cqes.length);
    },
    'struct ibv_cq': ({ cq }) => {
      const { context, channel, cqContext, cqe } = cq;
      return done({ context: handles.of(context), channel: handles.of(channel), cqContext, cqe });
    },
  } satisfies Partial<ModelVerbs>;
}

/** Extended CQs: ibv_create_cq_ex(3). */
export function cqExVerbs({ device, handles }: Model) {
  return {
    ibv_create_cq_ex: ({ context, cqAttr: { channel, ...init } }) => {
      const cq = device.createCqEx(context, init, channel ?? undefined);
      return created(handles.add('cq', cq), { cqe: cq.cqe });
    },
    ibv_start_poll: ({ cq }) => {
      cq.iterator.start();
      return done();
    },
    ibv_next_poll: ({ cq }) => {
      cq.iterator.next();
      return done();
    },
    ibv_end_poll: ({ cq }) => {
      cq.iterator.end();
      return done({}, null);
    },
    'struct ibv_cq_ex': ({ cq }) => {
      const { wrId, status } = cq.iterator;
      return done({ wrId, status });
    },
    ...readersOf((cq, reader) => cq.iterator.read(reader)),
  } satisfies Partial<ModelVerbs>;
}

type ReaderVerb = Extract<VerbName, `ibv_wc_read_${string}`>;

function readersOf(read: (cq: Cq, reader: WcReader) => TraceValue) {
  const verbOf = (reader: WcReader) => (args: { readonly cq: Cq }) => done({ value: read(args.cq, reader) }, null);
  const entries = (Object.keys(wcReaderMethods) as WcReader[]).map(
    (reader) => [`ibv_wc_read_${reader}`, verbOf(reader)] as const,
  );
  return Object.fromEntries(entries) as Record<ReaderVerb, ReturnType<typeof verbOf>>;
}
