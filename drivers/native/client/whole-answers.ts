import { HarnessError, type TraceStruct, type TraceValue } from '../../contract';
import { dutName, type Binding } from '../../programs/bindings';
import type { ProgramRecord } from '../../programs/program';
import type { CleanupRecord, Names, WholeRequest, WholeRun } from '../../programs/whole';
import { inOneLine } from '../../support/foreign-text';
import { isVerbName, type VerbName } from '../../verbs';
import { stringOf, structOf, structsOf } from '../../pipeline/values';
import { demand, harnessErrorOf, outcomeOf } from './answers';

/**
 * The params of a request that executes programs.
 *
 * @param dut - members of the device
 */
export function paramsOfWhole(request: WholeRequest, dut: TraceStruct, quietMs: number): TraceStruct {
  const { programs, deadlineMs, names = {}, keep = [], goesOn = false } = request;
  const known: Names = { [dutName]: { handle: null, outputs: dut }, ...names };
  return {
    programs: programs.map(({ ops }) => ops as unknown as TraceValue),
    names: known as unknown as TraceStruct,
    keep: [...keep],
    goesOn,
    quietMs,
    deadlineMs,
  };
}

/** The answer to such a request. @throws HarnessError if it is none */
export function wholeRunsOf(result: unknown, asked: number): readonly WholeRun[] {
  return demand('programs', result, (answer) => {
    const runs = structsOf(answer, 'runs').map(runOf);
    const isComplete = runs.length === asked || (runs.length < asked && runs.at(-1)?.hangs === true);
    if (!isComplete) throw new HarnessError(`it has ${runs.length} runs for ${asked} programs`);
    return runs;
  });
}

function runOf(run: TraceStruct): WholeRun {
  const refusal = run.refused === undefined ? undefined : refusalOf(structOf(run, 'refused'));
  const records = refusal === undefined ? listOf(run, 'records') : [];
  return {
    records: records.map((record) => (record === null ? undefined : recordOf(structIn(record)))),
    ...(refusal && { refusal }),
    cleanup: structsOf(run, 'cleanup').map(cleanupRecordOf),
    kept: run.kept === undefined ? {} : keptOf(structOf(run, 'kept')),
    isLate: run.late === true,
    hangs: run.hangs === true,
  };
}

function refusalOf(refused: TraceStruct): HarnessError {
  const { code, message } = refused;
  if (typeof code !== 'number' || typeof message !== 'string') throw new HarnessError('"refused" is not an error');
  return harnessErrorOf('a program', { code, message: inOneLine(message), remedy: undefined });
}

function recordOf(record: TraceStruct): ProgramRecord {
  const { waited } = record;
  const made = {
    verb: verbOf(record),
    args: structOf(record, 'args'),
    ...outcomeOf(record),
    ...(typeof waited === 'number' && { waited }),
  };
  return record.blocked === true ? { ...made, blocked: true } : made;
}

function cleanupRecordOf(record: TraceStruct): CleanupRecord {
  const made = recordOf(record);
  return record.refused === undefined ? made : { ...made, refused: inOneLine(stringOf(record, 'refused')) };
}

function verbOf(record: TraceStruct): VerbName {
  const verb = stringOf(record, 'verb');
  if (isVerbName(verb)) return verb;
  throw new HarnessError(`"verb" is ${inOneLine(verb, 80)}, which is not described`);
}

function keptOf(kept: TraceStruct): Names {
  const bindings = Object.keys(kept).map((name): readonly [string, Binding] => {
    const { handle, ...binding } = structOf(kept, name);
    if (handle !== null && typeof handle !== 'string') throw new HarnessError(`the handle of "${name}" is no string`);
    return [name, { handle, outputs: structOf(binding, 'outputs') }];
  });
  return Object.fromEntries(bindings);
}

function listOf(values: TraceStruct, name: string): readonly TraceValue[] {
  const list = values[name];
  if (Array.isArray(list)) return list as readonly TraceValue[];
  throw new HarnessError(`"${name}" is not a list`);
}

function structIn(value: TraceValue): TraceStruct {
  return structOf({ value }, 'value');
}
