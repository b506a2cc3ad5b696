import type { TraceStruct, TraceValue } from '../../../drivers/contract';
import type { ProgramRecord } from '../../../drivers/programs/program';

/** Members whose numbers differ from run to run, and where else they come up. */
const deviceNumbers: Readonly<Record<string, string>> = {
  addr: 'addr',
  remoteAddr: 'addr',
  lkey: 'key',
  rkey: 'key',
  qpNum: 'qpn',
  destQpNum: 'qpn',
  srcQp: 'qpn',
};

/**
 * Records with the handles and the numbers of one run replaced by how many others of the kind came before, so that those
 * of two runs of a program can be compared. Over how many settles a call waited, a program that is executed whole does not say.
 */
export function comparable(records: readonly (ProgramRecord | undefined)[]): unknown {
  const known = new Map<string, string>();
  const stand = (kind: string, value: string | number | bigint | boolean): string => {
    const key = `${kind} ${String(value)}`;
    const name = known.get(key) ?? `${kind} ${known.size}`;
    known.set(key, name);
    return name;
  };
  const plain = (value: TraceValue, name: string): unknown => {
    const kind = deviceNumbers[name];
    if (kind !== undefined && value !== null && typeof value !== 'object') return stand(kind, value);
    if (typeof value === 'string' && /^[a-z]+#\d+$/.test(value)) return stand('handle', value);
    if (Array.isArray(value)) return (value as readonly TraceValue[]).map((item) => plain(item, name));
    if (typeof value === 'object' && value !== null) return plainStruct(value as TraceStruct);
    return typeof value === 'bigint' ? value.toString(16) : value;
  };
  const plainStruct = (struct: TraceStruct): Record<string, unknown> =>
    Object.fromEntries(Object.entries(struct).map(([name, value]) => [name, plain(value, name)]));
  return records.map((record) => {
    if (record === undefined) return null;
    const { verb, args, returned, errno, outputs, blocked = false } = record;
    return plainStruct({ verb, args, returned, errno, outputs, blocked });
  });
}
