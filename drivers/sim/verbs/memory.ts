import { hexOf } from '../../contract';
import { created, done, type Model, type ModelVerbs } from './verb';

export function memoryVerbs({ device, handles }: Model) {
  return {
    'memory allocate': ({ length }) => {
      const memory = device.memory.allocate(length);
      return created(handles.add('memory', memory), { addr: memory.addr });
    },
    'memory free': ({ memory }) => {
      device.memory.free(memory);
      handles.end(memory);
      return done({}, null);
    },
    ibv_reg_mr: ({ pd, addr, length, access }) => {
      const mr = device.memory.register(pd, addr, length, access);
      return created(handles.add('mr', mr), { addr, length, lkey: mr.key, rkey: mr.key });
    },
    ibv_dereg_mr: ({ mr }) => {
      device.memory.deregister(mr);
      handles.end(mr);
      return done();
    },
    ibv_alloc_mw: ({ pd }) => {
      const window = device.memory.allocateWindow(pd);
      return created(handles.add('mw', window), { rkey: window.rkey });
    },
    ibv_dealloc_mw: ({ mw }) => {
      device.memory.deallocateWindow(mw);
      handles.end(mw);
      return done();
    },
    'memory read': ({ addr, length }) => {
      const bytes = device.memory.at(addr, length);
      return done({ bytes: hexOf(bytes) });
    },
    'memory write': ({ addr, bytes }) => {
      device.memory.at(addr, bytes.length).set(bytes);
      return done({}, null);
    },
  } satisfies Partial<ModelVerbs>;
}
