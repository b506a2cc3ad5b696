import {
  wcReaders,
  type CqAttr,
  type CqExAttr,
  type ModifyCqAttr,
  type TraceStruct,
  type TraceValue,
  type WcReader,
} from '../../contract';
import type { VerbName } from '../../pipeline/conventions';
import { bigintOf, handleOrNull, numberOf, stringOf, stringsOf, structOf } from '../../pipeline/values';
import { CompChannel } from '../channel/comp-channel';
import { Context } from '../device/context';
import { Cq } from '../cq/cq';
import type { CqIterator } from '../cq/cq-iterator';
import type { Handles } from '../handles';
import { created, destroyed, done, type Model, type Verb } from './verb';

export function cqVerbs(model: Model) {
  const { device, handles } = model;
  const cqOf = (args: TraceStruct): Cq => handles.get(stringOf(args, 'cq'), Cq);
  return {
    ibv_create_cq: (args) => {
      const cq = device.createCq(contextOf(handles, args), cqAttrOf(args), channelOf(handles, args));
      return created(handles.add(Cq, cq), { cqe: cq.cqe });
    },
    ibv_destroy_cq: (args) => {
      const cq = cqOf(args);
      cq.beginDestroy();
      return destroyed(model, stringOf(args, 'cq'), cq);
    },
    ibv_resize_cq: (args) => {
      cqOf(args).resize(numberOf(args, 'cqe'));
      return done();
    },
    ibv_modify_cq: (args) => {
      cqOf(args).modify(modifyCqAttrOf(args));
      return done();
    },
    ibv_req_notify_cq: (args) => {
      cqOf(args).arm(numberOf(args, 'solicitedOnly'));
      return done();
    },
    ibv_poll_cq: (args) => {
      const numEntries = numberOf(args, 'numEntries');
      const cqes = cqOf(args).poll(numEntries);
      const wc = cqes.slice(0, numEntries).map(({ wc }) => ({ ...wc }));
      return done({ wc, overflowed: cqes.length > numEntries }, cqes.length);
    },
    'struct ibv_cq': (args) => {
      const { context, channel, cqContext, cqe } = cqOf(args);
      return done({ context: handles.of(context), channel: handles.of(channel), cqContext, cqe });
    },
  } satisfies Partial<Record<VerbName, Verb>>;
}

const contextOf = (handles: Handles, args: TraceStruct): Context => handles.get(stringOf(args, 'context'), Context);

function channelOf(handles: Handles, args: TraceStruct): CompChannel | undefined {
  const channel = handleOrNull(args, 'channel');
  return channel === null ? undefined : handles.get(channel, CompChannel);
}

function cqAttrOf(args: TraceStruct): Required<CqAttr> {
  return {
    cqe: numberOf(args, 'cqe'),
    cqContext: bigintOf(args, 'cqContext'),
    compVector: numberOf(args, 'compVector'),
  };
}

function cqExAttrOf(args: TraceStruct): Required<CqExAttr> {
  return {
    ...cqAttrOf(args),
    wcFlags: stringsOf(args, 'wcFlags'),
    compMask: stringsOf(args, 'compMask'),
    flags: stringsOf(args, 'flags'),
  };
}

function modifyCqAttrOf(args: TraceStruct): ModifyCqAttr {
  const attr = structOf(args, 'attr');
  const moderate = structOf(attr, 'moderate');
  return {
    attrMask: stringsOf(attr, 'attrMask'),
    cqCount: numberOf(moderate, 'cqCount'),
    cqPeriod: numberOf(moderate, 'cqPeriod'),
  };
}

/** Extended CQs: ibv_create_cq_ex(3). */
export function cqExVerbs({ device, handles }: Model) {
  const iteratorOf = (args: TraceStruct): CqIterator => handles.get(stringOf(args, 'cq'), Cq).iterator;
  return {
    ibv_create_cq_ex: (args) => {
      const cq = device.createCqEx(contextOf(handles, args), cqExAttrOf(args), channelOf(handles, args));
      return created(handles.add(Cq, cq), { cqe: cq.cqe });
    },
    ibv_start_poll: (args) => {
      iteratorOf(args).start();
      return done();
    },
    ibv_next_poll: (args) => {
      iteratorOf(args).next();
      return done();
    },
    ibv_end_poll: (args) => {
      iteratorOf(args).end();
      return done({}, null);
    },
    'struct ibv_cq_ex': (args) => {
      const { wrId, status } = iteratorOf(args);
      return done({ wrId, status });
    },
    ...readersOf((args, reader) => iteratorOf(args).read(reader)),
  } satisfies Partial<Record<VerbName, Verb>>;
}

function readersOf(read: (args: TraceStruct, reader: WcReader) => TraceValue) {
  const verbOf = (reader: WcReader) => (args: TraceStruct) => done({ value: read(args, reader) }, null);
  const entries = wcReaders.map((reader) => [`ibv_wc_read_${reader}`, verbOf(reader)] as const);
  return Object.fromEntries(entries) as Record<(typeof entries)[number][0], Verb>;
}
