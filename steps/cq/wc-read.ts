import {
  HarnessError,
  wcReaderMethods,
  type Cq,
  type Driver,
  type TraceValue,
  type WcReader,
} from '../../drivers/contract';

const readers = Object.keys(wcReaderMethods) as WcReader[];

/** The readers of a CQ with IBV_WC_STANDARD_FLAGS. */
export const standardReaders: readonly WcReader[] = readers.filter((reader) => reader !== 'completion_ts');

/** Reads a member of the completion that the iterator stands on: ibv_wc_read_opcode() and its siblings. */
export function wcRead(driver: Driver, cq: Cq, reader: WcReader): Promise<TraceValue> {
  return driver[wcReaderMethods[reader]](cq);
}

/** The reader of that C function. */
export function readerOf(verb: string): WcReader {
  const reader = readers.find((name) => verb === `ibv_wc_read_${name}`);
  if (reader === undefined) throw new HarnessError(`${verb} reads nothing`, `readers: ${readers.join(', ')}`);
  return reader;
}
