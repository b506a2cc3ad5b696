import { inspect } from 'node:util';
import { HarnessError, type Dut, type TraceStruct, type TraceValue } from '../contract';
import { stringOf, stringsOf, structOf, structsOf } from '../values';
import { wordText } from './protocol';

/** Structs within structs that a description of a device may have; it needs four. */
const depthMax = 16;

/** Reads what a host says of its device. @throws HarnessError if it does not describe one */
export function readDut(told: TraceStruct): Dut {
  const dut = textual(told, 0) as TraceStruct;
  demandTexts(dut, ['hcaId', 'transport', 'fwVer', 'nodeGuid', 'provider', 'kernel', 'rdmaCore']);
  demandCounts(dut, ['vendorId', 'vendorPartId', 'hwVer', 'physPortCnt']);
  const port = structOf(dut, 'port');
  demandTexts(port, ['state', 'linkLayer', 'gid', 'netdev']);
  demandCounts(port, ['portNum', 'maxMtu', 'activeMtu', 'lid', 'gidIndex']);
  stringsOf(dut, 'capabilities');
  demandOptional(dut, port);
  return dut as unknown as Dut;
}

/** A host need not know of these, but what it says of them has its form. */
function demandOptional(dut: TraceStruct, port: TraceStruct): void {
  demandTexts(
    port,
    ['gidType'].filter((name) => name in port),
  );
  demandTexts(
    dut,
    ['distribution'].filter((name) => name in dut),
  );
  if ('taint' in dut) {
    const taint = structOf(dut, 'taint');
    demandCounts(taint, ['mask']);
    stringsOf(taint, 'reasons');
  }
  if ('module' in dut) demandTexts(structOf(dut, 'module'), ['name', 'file', 'sha256']);
  for (const module of 'modules' in dut ? structsOf(dut, 'modules') : []) {
    demandTexts(module, ['name', ...['version', 'srcversion', 'buildId'].filter((name) => name in module)]);
    const parameters = structOf(module, 'parameters');
    demandTexts(parameters, Object.keys(parameters));
  }
}

function demandTexts(values: TraceStruct, names: readonly string[]): void {
  for (const name of names) stringOf(values, name);
}

function demandCounts(values: TraceStruct, names: readonly string[]): void {
  for (const name of names) {
    const value = values[name];
    if (!Number.isSafeInteger(value) || Number(value) < 0) {
      throw new HarnessError(`"${name}" is ${inspect(value)}, no whole number from 0 on`);
    }
  }
}

/** Nothing of a description is a 64-bit value, also where decoding took a firmware version `0x1f` for one. */
function textual(value: TraceValue, depth: number): TraceValue {
  if (depth > depthMax) throw new HarnessError('it is nested too deep');
  if (typeof value === 'bigint') return wordText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: TraceValue) => textual(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, textual(item, depth + 1)]));
}
