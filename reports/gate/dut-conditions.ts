import type { Dut } from '../../drivers/contract';
import type { Verdicts } from '../judge/verdicts';

/** What the device of a run must be; explained in baseline.schema.json. */
export interface DutConditions {
  readonly provider?: string;
  readonly transport?: string;
  readonly vendorPartId?: string;
  readonly fwVer?: string;
  readonly kernel?: string;
  readonly rdmaCore?: string;
}

type Condition = keyof DutConditions;

const words: Readonly<Record<Condition, string>> = {
  provider: 'provider',
  transport: 'transport',
  vendorPartId: 'part number',
  fwVer: 'firmware',
  kernel: 'kernel',
  rdmaCore: 'rdma-core',
};

/**
 * The conditions of a new baseline. A device of the user's is what he changes kernel and firmware under, so they are left
 * out; soft-RoCE is a part of its kernel.
 */
function usualConditions({ driver }: Verdicts): Condition[] {
  if (driver === 'soft-roce') return ['provider', 'kernel'];
  return driver === 'hca' ? ['provider', 'vendorPartId'] : ['provider'];
}

/** The conditions that a run sets, those of an earlier baseline if there is one; a value that still matches stays. */
export function conditionsOf(verdicts: Verdicts, previous?: DutConditions): DutConditions {
  const names = previous === undefined ? usualConditions(verdicts) : (Object.keys(previous) as Condition[]);
  const entries = names.flatMap((name): [Condition, string][] => {
    const value = valueOf(verdicts.dut, name);
    const before = previous?.[name];
    if (value === undefined) return [];
    return [[name, before !== undefined && matches(before, value) ? before : seriesOf(name, value)]];
  });
  return Object.fromEntries(entries);
}

/** The conditions that a run does not meet: `kernel 6.12.117 (6.1 in the baseline)`. */
export function unmetConditions(conditions: DutConditions, { dut }: Verdicts): string[] {
  return (Object.entries(conditions) as [Condition, string][]).flatMap(([name, wanted]) => {
    const value = valueOf(dut, name) ?? 'unknown';
    return matches(wanted, value) ? [] : [`${words[name]} ${value} (${wanted} in the baseline)`];
  });
}

/** What a run was made with, in words. */
export function recordedFacts({ suite, dut }: Verdicts): Record<string, string> {
  const names = ['kernel', 'fwVer', 'rdmaCore'] as const;
  const facts = names.flatMap((name): [string, string][] => {
    const value = valueOf(dut, name);
    return value === undefined ? [] : [[words[name], value]];
  });
  const distribution = dut.distribution === undefined ? [] : [['distribution', dut.distribution] as const];
  const module = dut.module === undefined ? [] : [['module', dut.module.file] as const];
  return Object.fromEntries([['suite', suite.version], ...facts, ...distribution, ...module]);
}

/** What is another than when the baseline was recorded: `kernel 6.1.0-56-amd64, was 6.1.0-50-amd64`. */
export function changedFacts(recorded: Readonly<Record<string, string>>, verdicts: Verdicts): string[] {
  const now = recordedFacts(verdicts);
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])];
  return names.flatMap((name) =>
    recorded[name] === now[name] ? [] : [`${name} ${now[name] ?? 'none'}, was ${recorded[name] ?? 'none'}`],
  );
}

function valueOf(dut: Partial<Dut>, name: Condition): string | undefined {
  const value = dut[name];
  return value === undefined || value === '' || value === 'none' ? undefined : String(value);
}

/** Of a kernel, the first two numbers: what distributions call its series. */
function seriesOf(name: Condition, value: string): string {
  return name === 'kernel' ? (/^\d+\.\d+/.exec(value)?.[0] ?? value) : value;
}

/** Whether a value is the wanted one, or goes on from it where a number does not. */
function matches(wanted: string, value: string): boolean {
  return value.startsWith(wanted) && !/^[\da-z]/i.test(value.slice(wanted.length));
}
