import { HarnessError, type AccessFlag, type Handle, type TraceStruct } from '../contract';
import type { VerbName } from '../conventions';
import { bigintOf, numberOf, stringOf, stringsOf } from '../values';
import { AsyncEvent, AsyncEvents } from './async-events';
import { CompChannel } from './comp-channel';
import { Cq } from './cq';
import { Context, type Device } from './device';
import type { Handles } from './handles';
import { Mr } from './memory';
import { Pd } from './pd';
import { Qp } from './qp';
import { qpAttrOf, qpCapOf, recvWrsOf, sendWrsOf } from './wire';

/** What a verb gives when it does not refuse. */
export interface Outcome {
  readonly returned: number | Handle | null;
  readonly outputs: TraceStruct;
}

type Verb = (args: TraceStruct) => Outcome | Promise<Outcome>;

/** The model of one scenario, and how its verbs wait. */
export interface Model {
  readonly device: Device;
  readonly handles: Handles;
  /** Resolves when `attempt` gives a value, which may need the calls of others. */
  wait<T>(attempt: () => T | undefined): Promise<T>;
}

/** The C functions over the model. */
export function verbsOf(model: Model): Record<VerbName, Verb> {
  return {
    // @ts-expect-error the other verbs follow
    ...deviceVerbs(model),
    ...memoryVerbs(model),
    ...cqVerbs(model),
    ...eventVerbs(model),
    ...qpVerbs(model),
  };
}

function done(outputs: TraceStruct = {}, returned: number | Handle | null = 0): Outcome {
  return { returned, outputs };
}

function created(handle: Handle, outputs: TraceStruct = {}): Outcome {
  return done(outputs, handle);
}

function deviceVerbs({ device, handles }: Model) {
  return {
    ibv_open_device: () => {
      const context = new Context();
      return created(handles.add('context', context), { numCompVectors: device.numCompVectors });
    },
    ibv_close_device: (args) => {
      handles.take(stringOf(args, 'context'), Context);
      return done();
    },
    ibv_query_device: () => done({ maxCqe: 65536 }),
    ibv_query_port: () => done({ state: 'IBV_PORT_ACTIVE' }),
    ibv_alloc_pd: () => created(handles.add('pd', new Pd())),
    ibv_dealloc_pd: (args) => {
      handles.get(stringOf(args, 'pd'), Pd).dealloc();
      handles.take(stringOf(args, 'pd'), Pd);
      return done();
    },
  } satisfies Partial<Record<VerbName, Verb>>;
}

function memoryVerbs({ device, handles }: Model) {
  return {
    ibv_reg_mr: (args) => {
      const access = stringsOf(args, 'access') as AccessFlag[];
      const mr = device.memory.register(handles.get(stringOf(args, 'pd'), Pd), numberOf(args, 'length'), access);
      return created(handles.add('mr', mr), { addr: mr.addr, lkey: mr.key, rkey: mr.key });
    },
    'memory read': (args) => {
      const { memory } = handles.get(stringOf(args, 'mr'), Mr);
      const offset = numberOf(args, 'offset');
      return done({ bytes: memory.subarray(offset, offset + numberOf(args, 'length')).toString('hex') });
    },
    'memory write': (args) => {
      const { memory } = handles.get(stringOf(args, 'mr'), Mr);
      memory.write(stringOf(args, 'bytes'), numberOf(args, 'offset'), 'hex');
      return done();
    },
    ibv_dereg_mr: (args) => {
      device.memory.deregister(handles.take(stringOf(args, 'mr'), Mr));
      return done();
    },
  } satisfies Partial<Record<VerbName, Verb>>;
}

function cqVerbs(model: Model) {
  const { device, handles } = model;
  return {
    ibv_create_cq: (args) => {
      const context = handles.get(stringOf(args, 'context'), Context);
      const channel = args.channel === null ? undefined : handles.get(stringOf(args, 'channel'), CompChannel);
      const attr = { cqe: numberOf(args, 'cqe'), compVector: numberOf(args, 'compVector') };
      const cq = device.createCq(context, { ...attr, cqContext: bigintOf(args, 'cqContext') }, channel);
      return created(handles.add('cq', cq), { cqe: cq.capacity });
    },
    ibv_destroy_cq: async (args) => {
      const cq = handles.get(stringOf(args, 'cq'), Cq);
      cq.beginDestroy();
      await model.wait(() => cq.destroyable || undefined);
      handles.take(stringOf(args, 'cq'), Cq);
      return done();
    },
    'struct ibv_cq': (args) => {
      const { cqContext, capacity, channel } = handles.get(stringOf(args, 'cq'), Cq);
      const channelHandle = channel === undefined ? null : handles.of(channel);
      return done({ context: null, channel: channelHandle, cqContext, cqe: capacity });
    },
    ibv_req_notify_cq: (args) => {
      const cq = handles.get(stringOf(args, 'cq'), Cq);
      cq.notify(numberOf(args, 'solicitedOnly') === 0 ? 'any' : 'solicited');
      return done();
    },
    ibv_poll_cq: (args) => {
      const cqes = handles.get(stringOf(args, 'cq'), Cq).poll(numberOf(args, 'numEntries'));
      return done({ wc: cqes.map(({ wc }) => ({ ...wc })) }, cqes.length);
    },
  } satisfies Partial<Record<VerbName, Verb>>;
}

function eventVerbs(model: Model) {
  const { device, handles } = model;
  return {
    ibv_create_comp_channel: () => created(handles.add('channel', new device.parts.CompChannel())),
    ibv_destroy_comp_channel: (args) => {
      handles.get(stringOf(args, 'channel'), CompChannel).destroy();
      handles.take(stringOf(args, 'channel'), CompChannel);
      return done();
    },
    ibv_get_cq_event: async (args) => {
      const channel = handles.get(stringOf(args, 'channel'), CompChannel);
      const cq = await model.wait(() => channel.take());
      return done({ cq: handles.of(cq), cqContext: cq.cqContext });
    },
    ibv_ack_cq_events: (args) => {
      handles.get(stringOf(args, 'cq'), Cq).acknowledge(numberOf(args, 'nevents'));
      return done({}, null);
    },
    ibv_get_async_event: async (args) => {
      const { asyncEvents } = handles.get(stringOf(args, 'context'), Context);
      const event = await model.wait(() => asyncEvents.take());
      const { eventType, element } = event;
      return done({ event: handles.add('event', event), eventType, element: handles.of(element) });
    },
    ibv_ack_async_event: (args) => {
      handles.take(stringOf(args, 'event'), AsyncEvent).element.asyncEvents.acknowledge(1);
      return done({}, null);
    },
    poll: (args) => {
      const source = handles.get(stringOf(args, 'source'), Object);
      const queue = source instanceof Context ? source.asyncEvents : source;
      if (!(queue instanceof AsyncEvents || queue instanceof CompChannel))
        throw new HarnessError('no descriptor to poll');
      const readable = (): boolean => queue.readable;
      device.clock.advance(numberOf(args, 'timeoutMs') * 1000, readable);
      return done({ revents: readable() ? ['POLLIN'] : [] }, readable() ? 1 : 0);
    },
    fcntl: (args) => {
      const source = handles.get(stringOf(args, 'source'), Object);
      const queue = source instanceof Context ? source.asyncEvents : source;
      if (!(queue instanceof AsyncEvents || queue instanceof CompChannel)) throw new HarnessError('no descriptor');
      if (args.cmd === 'F_GETFL') return done({ flags: ['O_RDWR', ...(queue.nonblocking ? ['O_NONBLOCK'] : [])] });
      queue.nonblocking = stringsOf(args, 'flags').includes('O_NONBLOCK');
      return done();
    },
    'struct ibv_comp_channel': () => done({ context: null, fd: 3 }),
  } satisfies Partial<Record<VerbName, Verb>>;
}

function qpVerbs({ device, handles }: Model) {
  return {
    ibv_create_qp: (args) => {
      const qp = device.createQp({
        pd: handles.get(stringOf(args, 'pd'), Pd),
        sendCq: handles.get(stringOf(args, 'sendCq'), Cq),
        recvCq: handles.get(stringOf(args, 'recvCq'), Cq),
        cap: qpCapOf(args),
        sqSigAll: args.sqSigAll === true,
      });
      return created(handles.add('qp', qp), { qpNum: qp.qpNum });
    },
    ibv_modify_qp: (args) => {
      handles.get(stringOf(args, 'qp'), Qp).modify(qpAttrOf(args));
      return done();
    },
    ibv_query_qp: (args) => done({ qpState: handles.get(stringOf(args, 'qp'), Qp).state }),
    ibv_destroy_qp: (args) => {
      device.destroyQp(handles.take(stringOf(args, 'qp'), Qp));
      return done();
    },
    ibv_post_recv: (args) => {
      handles.get(stringOf(args, 'qp'), Qp).postRecv(recvWrsOf(args));
      return done({ badWr: null });
    },
    ibv_post_send: (args) => {
      handles.get(stringOf(args, 'qp'), Qp).postSend(sendWrsOf(args));
      return done({ badWr: null });
    },
  } satisfies Partial<Record<VerbName, Verb>>;
}
