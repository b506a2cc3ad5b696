import { inspect } from 'node:util';
import { HarnessError, type TraceStruct, type TraceValue } from '../../contract';
import { stringOf, stringsOf, structOf, structsOf } from '../../pipeline/values';
import { wordText, type DescribedDut } from '../protocol';

/** Structs within structs that a description of a device may have; it needs four. */
const depthMax = 16;

/** Characters of the texts of a description and of the names of its members; that of an HCA has a few thousand. */
const charactersMax = 256 * 1024;

/** Members and items of a description. */
const valuesMax = 10_000;

/** Reads what a host says of its device. @throws HarnessError if it does not describe one */
export function readDut(told: TraceStruct): DescribedDut {
  const dut = textual(told, 0, new Measure()) as TraceStruct;
  demandTexts(dut, ['hcaId', 'transport', 'fwVer', 'nodeGuid', 'provider', 'kernel', 'rdmaCore']);
  demandCounts(dut, ['vendorId', 'vendorPartId', 'hwVer', 'physPortCnt']);
  const port = structOf(dut, 'port');
  demandTexts(port, ['state', 'linkLayer', 'gid', 'netdev']);
  demandCounts(port, ['portNum', 'maxMtu', 'activeMtu', 'lid', 'gidIndex']);
  demandOptional(dut, port);
  return dut as unknown as DescribedDut;
}

/** A host need not know of these, but what it says of them has its form. */
function demandOptional(dut: TraceStruct, port: TraceStruct): void {
  demandCounts(
    port,
    ['pkeyIndex'].filter((name) => name in port),
  );
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
      throw new HarnessError(`"${name}" is ${inspect(value)}, not an integer of 0 or more`);
    }
  }
}

/** Nothing of a description is a 64-bit value, also where decoding took a firmware version `0x1f` for one. */
function textual(value: TraceValue, depth: number, measure: Measure): TraceValue {
  if (depth > depthMax) throw new HarnessError('it is nested too deep');
  measure.add(typeof value === 'string' ? value.length : 0);
  if (typeof value === 'bigint') return wordText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: TraceValue) => textual(item, depth + 1, measure));
  const entries = Object.entries(value).map(([name, item]) => {
    measure.add(name.length);
    return [name, textual(item, depth + 1, measure)];
  });
  return Object.fromEntries(entries) as TraceStruct;
}

/** What a run keeps and each of its results holds must not be as long as a message may be. */
class Measure {
  #characters = 0;
  #values = 0;

  add(characters: number): void {
    this.#characters += characters;
    if (this.#characters > charactersMax) throw new HarnessError('it has too much text');
    if (++this.#values > valuesMax) throw new HarnessError('it has too many values');
  }
}
