import type { VerbName } from '../../pipeline/conventions';
import { stringOf } from '../../pipeline/values';
import { Ah } from '../ah/address-handle';
import { Context } from '../device/context';
import { Pd } from '../pd/pd';
import { ahAttrOf } from '../wire';
import { created, done, type Model, type Verb } from './verb';

export function deviceVerbs({ device, handles }: Model) {
  return {
    ibv_open_device: () => {
      const context = device.open();
      return created(handles.add(Context, context), { numCompVectors: device.numCompVectors });
    },
    ibv_close_device: (args) => {
      handles.take(stringOf(args, 'context'), Context);
      return done();
    },
    ibv_query_device: (args) => {
      handles.get(stringOf(args, 'context'), Context);
      return done({ maxCqe: device.maxCqe });
    },
    ibv_query_port: (args) => {
      handles.get(stringOf(args, 'context'), Context);
      return done({ state: device.port.isUp ? 'IBV_PORT_ACTIVE' : 'IBV_PORT_DOWN' });
    },
    ibv_alloc_pd: (args) => created(handles.add(Pd, new Pd(handles.get(stringOf(args, 'context'), Context)))),
    ibv_dealloc_pd: (args) => {
      handles.take(stringOf(args, 'pd'), Pd);
      return done();
    },
    ibv_create_ah: (args) => created(handles.add(Ah, new Ah(handles.get(stringOf(args, 'pd'), Pd), ahAttrOf(args)))),
    ibv_destroy_ah: (args) => {
      handles.take(stringOf(args, 'ah'), Ah);
      return done();
    },
  } satisfies Partial<Record<VerbName, Verb>>;
}
