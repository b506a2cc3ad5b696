import { checkEqual, dataOf, isList, isStruct, RuleViolated, type Data, type Value } from '../../../drivers/contract';
import { isRefusal } from '../../../drivers/pipeline/conventions';
import type { ProgramRecord } from '../../../drivers/programs/program';
import { runProgram } from '../../../drivers/programs/run-program';
import type { Device } from '../device';
import type { CallScenario, Demand } from './read-feature';

/** What a call gave, at a place such as `returned` or `wc[0].status`. */
export function observedAt(record: ProgramRecord, what: string): Data {
  if (record.blocked === true) return 'nothing yet';
  if (what === 'returned') return typeof record.returned === 'string' ? 'something' : record.returned;
  if (what === 'errno') return isRefusal(record.verb, record.returned) ? record.errno : 0;
  const [, first = '', index, , member] = /^(\w+)(?:\[(\d+)\])?(\.(\w+))?$/.exec(what) ?? [];
  const found = (dataOf(record.outputs) as Readonly<Record<string, Data | undefined>>)[first] ?? null;
  const item = index !== undefined && isList(found) ? (found[Number(index)] ?? null) : found;
  if (member === undefined) return isList(item) && what === 'wc' ? item.length : item;
  return isStruct(item) ? (item[member] ?? null) : null;
}

/** Demands what a scenario says of its calls. @throws RuleViolated if one gave something else, or was not made */
export function checkDemands(demands: readonly Demand[], records: readonly (ProgramRecord | undefined)[]): void {
  for (const { at, verb, what, expected } of demands) {
    const record = records[at];
    const observed = record === undefined ? 'not made' : observedAt(record, what);
    checkEqual({ subject: `${what} of call ${at + 1}, ${verb}`, expected: expected as Value, observed });
  }
}

/** Plays a scenario, and says which of its demands a device does not meet, if there is one. */
export async function failedDemand(
  { program, demands }: CallScenario,
  { backend, patience }: Pick<Device, 'backend' | 'patience'>,
): Promise<string | undefined> {
  if (demands.length === 0) return undefined;
  const { records } = await runProgram(backend, program, { patience });
  await backend.end();
  try {
    checkDemands(demands, records);
    return undefined;
  } catch (error) {
    if (error instanceof RuleViolated) return error.message;
    throw error;
  }
}
