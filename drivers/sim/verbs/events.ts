import type { AsyncElement } from '../async/async-events';
import type { Handles } from '../handles';
import { TakenEvent } from './objects';
import { created, done, type Model, type ModelVerbs } from './verb';

/** The events of completion channels: ibv_create_comp_channel(3), ibv_get_cq_event(3). */
export function compEventVerbs(model: Model) {
  const { device, handles } = model;
  return {
    ibv_create_comp_channel: ({ context }) => {
      const channel = device.createCompChannel(context);
      return created(handles.add('channel', channel));
    },
    ibv_destroy_comp_channel: ({ channel }) => {
      channel.destroy();
      handles.end(channel);
      return done();
    },
    'struct ibv_comp_channel': ({ channel }) => {
      const { contextMember, descriptor } = channel;
      return done({ context: handles.of(contextMember), fd: descriptor.fd });
    },
    ibv_get_cq_event: async ({ channel }) => {
      channel.beginGet();
      const cq = await model.wait(() => channel.take());
      return done({ cq: handles.of(cq), cqContext: cq.eventContext });
    },
    ibv_ack_cq_events: ({ cq, nevents }) => {
      cq.acknowledge(nevents);
      return done({}, null);
    },
  } satisfies Partial<ModelVerbs>;
}

/** The asynchronous events of contexts: ibv_get_async_event(3). */
export function asyncEventVerbs(model: Model) {
  const { handles } = model;
  return {
    ibv_get_async_event: async ({ context: { asyncEvents } }) => {
      asyncEvents.beginGet();
      const event = await model.wait(() => asyncEvents.take());
      const taken = handles.add('event', new TakenEvent(asyncEvents, event));
      return done({ event: taken, eventType: event.eventType, element: elementOf(handles, event.element) });
    },
    ibv_ack_async_event: ({ event: taken }) => {
      taken.queue.acknowledge(taken.event);
      handles.end(taken);
      return done({}, null);
    },
  } satisfies Partial<ModelVerbs>;
}

function elementOf(handles: Handles, element: AsyncElement): string | number | null {
  return typeof element === 'number' ? element : handles.of(element);
}

/** The system calls that a program makes with the descriptors of libibverbs. */
export function systemCalls(model: Model) {
  const { device } = model;
  return {
    poll: async ({ source: { eventFile: file }, timeoutMs }) => {
      device.descriptors.look(1);
      if (timeoutMs < 0) await model.wait(() => file.readable || undefined);
      else
        model.pass((clock) => {
          clock.advance(file.pollUs(timeoutMs), () => file.readable);
        });
      return file.readable ? done({ revents: ['POLLIN'] }, 1) : done({ revents: [] });
    },
    fcntl: ({ source, ...args }) => {
      const { descriptor } = source.eventFile;
      if (args.cmd === 'F_GETFL') return done({ flags: descriptor.flags });
      descriptor.flags = args.flags;
      return done();
    },
    setrlimit: ({ soft }) => {
      device.descriptors.limit(soft ?? undefined);
      return done();
    },
  } satisfies Partial<ModelVerbs>;
}
