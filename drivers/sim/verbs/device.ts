import { Ah } from '../ah/address-handle';
import { Pd } from '../pd/pd';
import { created, done, type Model, type ModelVerbs } from './verb';

export function deviceVerbs({ device, handles }: Model) {
  return {
    ibv_open_device: () => {
      const context = device.open();
      return created(handles.add('context', context), { numCompVectors: device.numCompVectors });
    },
    ibv_close_device: ({ context }) => {
      handles.end(context);
      return done();
    },
    ibv_query_device: () => done({ ...device.attr, maxCqe: device.maxCqe }),
    ibv_query_device_ex: () =>
      done({ completionTimestampMask: device.timestampMask(), maxCqCount: 65535, maxCqPeriod: 65535 }),
    ibv_query_port: () => {
      const state = device.port.isUp ? 'IBV_PORT_ACTIVE' : 'IBV_PORT_DOWN';
      return done({ ...device.portAttr, state });
    },
    ibv_alloc_pd: ({ context }) => created(handles.add('pd', new Pd(context))),
    ibv_dealloc_pd: ({ pd }) => {
      handles.end(pd);
      return done();
    },
    ibv_create_ah: ({ pd, attr }) => created(handles.add('ah', new Ah(pd, attr))),
    ibv_destroy_ah: ({ ah }) => {
      handles.end(ah);
      return done();
    },
  } satisfies Partial<ModelVerbs>;
}
