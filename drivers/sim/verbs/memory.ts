import { created, done, type Model, type Verbs } from './verb';

export function memoryVerbs({ device, handles }: Model) {
  return {
    ibv_reg_mr: ({ pd, length, access }) => {
      const mr = device.memory.register(pd, length, access);
      return created(handles.add('mr', mr), { addr: mr.addr, length, lkey: mr.key, rkey: mr.key });
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
    'memory read': ({ mr, offset, length }) => {
      const bytes = device.memory.at(mr.addr + BigInt(offset), length);
      return done({ bytes: bytes.toString('hex') });
    },
    'memory write': ({ mr, offset, bytes }) => {
      device.memory.at(mr.addr + BigInt(offset), bytes.length).set(bytes);
      return done();
    },
  } satisfies Partial<Verbs>;
}
