import type { AccessFlag, TraceStruct } from '../../contract';
import type { VerbName } from '../../pipeline/conventions';
import { numberOf, stringOf, stringsOf } from '../../pipeline/values';
import { Mr } from '../mr/memory';
import { Mw } from '../mw/memory-window';
import { Pd } from '../pd/pd';
import { created, done, type Model, type Verb } from './verb';

export function memoryVerbs({ device, handles }: Model) {
  const addrOf = (args: TraceStruct): bigint =>
    handles.get(stringOf(args, 'mr'), Mr).addr + BigInt(numberOf(args, 'offset'));
  return {
    ibv_reg_mr: (args) => {
      const access = stringsOf(args, 'access') as AccessFlag[];
      const mr = device.memory.register(handles.get(stringOf(args, 'pd'), Pd), numberOf(args, 'length'), access);
      return created(handles.add(Mr, mr), { addr: mr.addr, lkey: mr.key, rkey: mr.key });
    },
    ibv_dereg_mr: (args) => {
      device.memory.deregister(handles.get(stringOf(args, 'mr'), Mr));
      handles.take(stringOf(args, 'mr'), Mr);
      return done();
    },
    ibv_alloc_mw: (args) => {
      const window = device.memory.allocateWindow(handles.get(stringOf(args, 'pd'), Pd));
      return created(handles.add(Mw, window), { rkey: window.rkey });
    },
    ibv_dealloc_mw: (args) => {
      device.memory.deallocateWindow(handles.take(stringOf(args, 'mw'), Mw));
      return done();
    },
    'memory read': (args) => {
      const bytes = device.memory.at(addrOf(args), numberOf(args, 'length'));
      return done({ bytes: bytes.toString('hex') });
    },
    'memory write': (args) => {
      const source = Buffer.from(stringOf(args, 'bytes'), 'hex');
      source.copy(device.memory.at(addrOf(args), source.length));
      return done();
    },
  } satisfies Partial<Record<VerbName, Verb>>;
}
