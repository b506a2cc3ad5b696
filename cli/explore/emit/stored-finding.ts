import { isSameData, UsageError, type Data } from '../../../drivers/contract';
import type { Trials } from '../../../drivers/explore/shrink/trials';
import { checkedProgram } from '../../../drivers/programs/check-program';
import { callsOf, programLimits, type Program } from '../../../drivers/programs/program';
import { isVerbName, type VerbName } from '../../../drivers/verbs';
import { oneLine } from '../../../catalog/plain-text';
import { readNamedFile } from '../../inputs/read-file';

/** What a call came to, as a finding has it. */
export interface StoredRecord {
  readonly verb: VerbName;
  readonly args: Struct;
  readonly returned: number | string | null;
  readonly errno: number;
  readonly outputs: Struct;
  readonly blocked: boolean;
  /** Whether a thread beside it went on before it returned. */
  readonly hasWaited: boolean;
}

export type Struct = Readonly<Record<string, Data | undefined>>;

/** A finding as it was written to a file. */
export interface StoredFinding {
  readonly suite: string;
  readonly driver: string;
  readonly device: {
    readonly hcaId: string;
    readonly provider: string;
    readonly kernel: string;
    readonly rdmaCore: string;
  };
  readonly seed: number;
  readonly oracle: string;
  readonly clause: string;
  readonly difference: {
    readonly at: number;
    readonly verb: string;
    readonly what: string;
    readonly expected: Data;
    readonly observed: Data;
  };
  /** In how many runs it was seen, where that was counted. */
  readonly trials?: Trials | undefined;
  readonly program: Program;
  /** In the order of the calls; nothing of one that was not made. */
  readonly records: readonly (StoredRecord | undefined)[];
}

/** Bytes that a finding may have: its program, as it was at first too, and what came of its calls. */
export const findingBytesMax = 32 * programLimits.bytes;

/** The version of the form of findings that this is. */
const schemaVersion = 1;

/** Reads a finding that `verbspec explore` has written. @throws UsageError in one line if the file holds none */
export function readFinding(path: string): StoredFinding {
  const text = readNamedFile(path, findingBytesMax);
  try {
    return storedFinding(text);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

/** The finding that a text holds. @throws UsageError */
export function storedFinding(text: string): StoredFinding {
  const data = structOf(parsed(text), 'the finding');
  if (data.schemaVersion !== schemaVersion) {
    const version = oneLine(JSON.stringify(data.schemaVersion ?? null)).slice(0, 40);
    refuse(`the finding has version ${version}; this verbspec reads version ${schemaVersion}`);
  }
  const program = checkedProgram(data.program);
  const device = structOf(data.device, '"device"');
  return {
    suite: textOf(data, 'suite'),
    driver: textOf(data, 'driver'),
    device: {
      hcaId: textOf(device, 'hcaId'),
      provider: textOf(device, 'provider'),
      kernel: textOf(device, 'kernel'),
      rdmaCore: textOf(device, 'rdmaCore'),
    },
    seed: numberOf(data, 'seed'),
    oracle: textOf(data, 'oracle'),
    clause: textOf(data, 'clause'),
    difference: differenceOf(structOf(data.difference, '"difference"')),
    trials: data.trials === undefined ? undefined : trialsOf(structOf(data.trials, '"trials"')),
    program,
    records: recordsOf(data.records, program),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('the finding is not JSON');
  }
}

function refuse(message: string): never {
  throw new UsageError(message, 'name a file that verbspec explore has written');
}

function differenceOf(data: Struct): StoredFinding['difference'] {
  const { expected = null, observed = null } = data;
  return { at: numberOf(data, 'at'), verb: textOf(data, 'verb'), what: textOf(data, 'what'), expected, observed };
}

function trialsOf(data: Struct): Trials {
  return { runs: numberOf(data, 'runs'), failed: numberOf(data, 'failed') };
}

function recordsOf(data: unknown, program: Program): StoredFinding['records'] {
  if (!Array.isArray(data)) return refuse('"records" of the finding is not a list');
  const calls = callsOf(program);
  if (data.length > calls.length) refuse(`the finding has ${data.length} records of ${calls.length} calls`);
  return (data as readonly unknown[]).map((one, at) => (one === null ? undefined : recordOf(one, at, calls[at]?.call)));
}

function recordOf(data: unknown, at: number, called: string | undefined): StoredRecord {
  const place = `record ${at} of the finding`;
  const record = structOf(data, place);
  const { returned = null, waited, blocked } = record;
  const verb = textOf(record, 'verb');
  if (!isVerbName(verb) || !isSameData(verb, called)) return refuse(`${place} is not of the call in its place`);
  if (typeof returned === 'boolean' || (typeof returned === 'object' && returned !== null))
    return refuse(`"returned" of ${place} is no number, text or null`);
  const { args, outputs } = record;
  return {
    verb,
    args: structOf(args, `"args" of ${place}`),
    returned,
    errno: numberOf(record, 'errno'),
    outputs: structOf(outputs, `"outputs" of ${place}`),
    blocked: blocked === true,
    hasWaited: typeof waited === 'number' && waited > 0,
  };
}

function structOf(data: unknown, name: string): Struct {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return refuse(`${name} is not a struct`);
  return data as Struct;
}

function textOf(struct: Struct, name: string): string {
  const value = struct[name];
  return typeof value === 'string' ? value : refuse(`"${name}" of the finding is not a text`);
}

function numberOf(struct: Struct, name: string): number {
  const value = struct[name];
  return typeof value === 'number' && Number.isSafeInteger(value)
    ? value
    : refuse(`"${name}" of the finding is not a whole number`);
}
