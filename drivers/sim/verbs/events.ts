import type { TraceStruct } from '../../contract';
import type { VerbName } from '../../pipeline/conventions';
import { numberOf, stringOf, stringsOf } from '../../pipeline/values';
import type { AsyncElement, AsyncEvent, AsyncEvents } from '../async/async-events';
import { CompChannel } from '../channel/comp-channel';
import { Context } from '../device/context';
import { Cq } from '../cq/cq';
import { EventSource } from '../channel/event-file';
import type { Handles } from '../handles';
import { created, done, type Model, type Verb } from './verb';

/** An event that was taken, and the queue that wants its acknowledgement. */
class TakenEvent {
  constructor(
    readonly queue: AsyncEvents,
    readonly event: AsyncEvent,
  ) {}
}

/** The events of completion channels: ibv_create_comp_channel(3), ibv_get_cq_event(3). */
export function compEventVerbs(model: Model) {
  const { device, handles } = model;
  return {
    ibv_create_comp_channel: (args) => {
      const channel = device.createCompChannel(handles.get(stringOf(args, 'context'), Context));
      return created(handles.add(CompChannel, channel));
    },
    ibv_destroy_comp_channel: (args) => {
      handles.get(stringOf(args, 'channel'), CompChannel).destroy();
      handles.take(stringOf(args, 'channel'), CompChannel);
      return done();
    },
    'struct ibv_comp_channel': (args) => {
      const { contextMember, descriptor } = handles.get(stringOf(args, 'channel'), CompChannel);
      return done({ context: handles.of(contextMember), fd: descriptor.fd });
    },
    ibv_get_cq_event: async (args) => {
      const channel = handles.get(stringOf(args, 'channel'), CompChannel);
      channel.beginGet();
      const cq = await model.wait(() => channel.take());
      return done({ cq: handles.of(cq), cqContext: cq.eventContext });
    },
    ibv_ack_cq_events: (args) => {
      handles.get(stringOf(args, 'cq'), Cq).acknowledge(numberOf(args, 'nevents'));
      return done({}, null);
    },
  } satisfies Partial<Record<VerbName, Verb>>;
}

/** The asynchronous events of contexts: ibv_get_async_event(3). */
export function asyncEventVerbs(model: Model) {
  const { handles } = model;
  return {
    ibv_get_async_event: async (args) => {
      const { asyncEvents } = handles.get(stringOf(args, 'context'), Context);
      asyncEvents.beginGet();
      const event = await model.wait(() => asyncEvents.take());
      const taken = handles.add(TakenEvent, new TakenEvent(asyncEvents, event));
      return done({ event: taken, eventType: event.eventType, element: elementOf(handles, event.element) });
    },
    ibv_ack_async_event: (args) => {
      const { queue, event } = handles.take(stringOf(args, 'event'), TakenEvent);
      queue.acknowledge(event);
      return done({}, null);
    },
  } satisfies Partial<Record<VerbName, Verb>>;
}

function elementOf(handles: Handles, element: AsyncElement): string | number | null {
  return typeof element === 'number' ? element : handles.of(element);
}

/** The system calls that a program makes with the descriptors of libibverbs. */
export function systemCalls(model: Model) {
  const { device, handles } = model;
  const sourceOf = (args: TraceStruct): EventSource => handles.get(stringOf(args, 'source'), EventSource);
  return {
    poll: async (args) => {
      const { eventFile: file } = sourceOf(args);
      const timeoutMs = numberOf(args, 'timeoutMs');
      if (timeoutMs < 0) await model.wait(() => file.readable || undefined);
      else
        model.pass((clock) => {
          clock.advance(file.pollUs(timeoutMs), () => file.readable);
        });
      return file.readable ? done({ revents: ['POLLIN'] }, 1) : done();
    },
    fcntl: (args) => {
      const { descriptor } = sourceOf(args).eventFile;
      if (stringOf(args, 'cmd') === 'F_GETFL') return done({ flags: descriptor.flags });
      descriptor.flags = stringsOf(args, 'flags');
      return done();
    },
    setrlimit: (args) => {
      device.descriptors.limit(args.soft === null ? undefined : numberOf(args, 'soft'));
      return done();
    },
  } satisfies Partial<Record<VerbName, Verb>>;
}
