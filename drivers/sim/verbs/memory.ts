import { HarnessError, type AccessFlag } from '../../contract';
import type { VerbName } from '../../conventions';
import { numberOf, stringOf, stringsOf } from '../../values';
import { Mr } from '../memory';
import { MemoryWindow } from '../memory-window';
import { Pd } from '../pd';
import { created, done, type Model, type Verb } from './verb';

export function memoryVerbs({ device, handles }: Model) {
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
      return created(handles.add(MemoryWindow, window), { rkey: window.rkey });
    },
    ibv_dealloc_mw: (args) => {
      device.memory.deallocateWindow(handles.take(stringOf(args, 'mw'), MemoryWindow));
      return done();
    },
    'memory read': (args) => {
      const bytes = within(handles.get(stringOf(args, 'mr'), Mr), numberOf(args, 'offset'), numberOf(args, 'length'));
      return done({ bytes: bytes.toString('hex') });
    },
    'memory write': (args) => {
      const source = Buffer.from(stringOf(args, 'bytes'), 'hex');
      source.copy(within(handles.get(stringOf(args, 'mr'), Mr), numberOf(args, 'offset'), source.length));
      return done();
    },
  } satisfies Partial<Record<VerbName, Verb>>;
}

/** A program that goes beyond its memory crashes: that is for the scenario to mend. */
function within(mr: Mr, offset: number, length: number): Buffer {
  const bytes = mr.slice(mr.addr + BigInt(offset), length);
  if (bytes === undefined) throw new HarnessError(`${length} bytes from ${offset} on do not lie within the region`);
  return bytes;
}
