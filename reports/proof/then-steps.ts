import { violations } from '../../catalog/verdict';
import type { FaultRun, ProvedScenario, ProvedThenSteps, SoundScenario } from './proof';
import { isOf } from './reliance';

/** A Then step that fails first under no fault of its rule: under which other it does, or why under none. */
export interface ThenRecord {
  /** The name of the scenario, and the step, as the feature has them. */
  readonly scenario: string;
  readonly step: string;
  /** Which of the same steps of the scenario it is; the first unless given. */
  readonly nth?: number;
  /** A fault of other rules under which it fails first. */
  readonly fault?: string;
  /** Why it cannot fail first. */
  readonly reason?: string;
}

/** By the id of a rule. */
export type ThenRecords = Readonly<Record<string, readonly ThenRecord[]>>;

/** A Then step of the features; that of an outline once for all its examples. */
interface ThenStep {
  readonly rule: string;
  /** `file:line`, which no other step has. */
  readonly place: string;
  readonly scenario: string;
  readonly step: string;
  readonly nth: number;
}

/** Faults under which steps fail first, by the place of the step. */
interface FirstFailures {
  readonly own: ReadonlySet<string>;
  readonly others: ReadonlyMap<string, readonly string[]>;
}

const file = 'reports/proof/recorded-then-steps.json';

/** Which scenarios are to run to their end under which faults of other rules, as records say. */
export function witnessesIn(records: ThenRecords): (fault: string, scenario: SoundScenario) => boolean {
  const pairs = new Set(
    Object.entries(records).flatMap(([rule, steps]) =>
      steps.flatMap(({ fault, scenario }) => (fault === undefined ? [] : [[fault, rule, scenario].join('\n')])),
    ),
  );
  return (fault, { clauseIds, writtenName }) => pairs.has([fault, clauseIds[0], writtenName].join('\n'));
}

/** What is to be recorded: a fault of other rules where there is one, else the reason that was there before. */
export function thenRecords(
  sound: readonly SoundScenario[],
  faults: readonly FaultRun[],
  before: ThenRecords,
): ThenRecords {
  const failures = firstFailures(sound, faults);
  const records: Record<string, ThenRecord[]> = {};
  for (const step of thenSteps(sound).filter(({ place }) => !failures.own.has(place))) {
    const record = recordOf(step, failures.others.get(step.place) ?? [], recordIn(before, step));
    if (record !== undefined) (records[step.rule] ??= []).push(record);
  }
  return Object.fromEntries(Object.entries(records).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function recordOf(
  { scenario, step, nth }: ThenStep,
  others: readonly string[],
  before: ThenRecord | undefined,
): ThenRecord | undefined {
  const names = { scenario, step, ...(nth > 1 && { nth }) };
  const fault = others.find((name) => name === before?.fault) ?? [...others].sort()[0];
  if (fault !== undefined) return { ...names, fault };
  return before?.reason === undefined ? undefined : { ...names, reason: before.reason };
}

/** What the Then steps are shown to do, and what differs from the records, one line each. */
export function judgeThenSteps(
  sound: readonly SoundScenario[],
  faults: readonly FaultRun[],
  records: ThenRecords,
): { readonly steps: ProvedThenSteps; readonly problems: readonly string[] } {
  const failures = firstFailures(sound, faults);
  const all = thenSteps(sound);
  const never = all.filter(({ place }) => !failures.own.has(place) && !failures.others.has(place));
  const open = never.filter((step) => recordIn(records, step)?.reason === undefined);
  const argued = all.filter((step) => recordIn(records, step)?.reason !== undefined && !open.includes(step));
  const underOthers = all.filter(({ place }) => !failures.own.has(place) && failures.others.has(place)).length;
  const steps = { count: all.length, underOthers, argued: argued.length, never: open.map(textOf) };
  return {
    steps,
    problems: [
      ...open.map((step) => `${textOf(step)} ${whatIsOpen(recordIn(records, step))}`),
      ...argued
        .filter((step) => !never.includes(step))
        .map(
          (step) => `${textOf(step)} fails first, so the reason in ${file} is out of date: \`verbspec prove --accept\``,
        ),
      ...unknownRecords(records, all),
    ],
  };
}

function whatIsOpen(record: ThenRecord | undefined): string {
  if (record?.fault !== undefined)
    return `failed first under fault ${record.fault}, and does no more: \`verbspec prove --accept\` looks for another`;
  return `fails first under no fault: plant one, or give the reason in ${file}`;
}

function unknownRecords(records: ThenRecords, all: readonly ThenStep[]): string[] {
  return Object.entries(records).flatMap(([rule, steps]) =>
    steps
      .filter((record) => !all.some((step) => step.rule === rule && isFor(record, step)))
      .map(
        ({ scenario, step }) =>
          `${file} has "${step}" of "${scenario}" of ${rule}, which no feature has: \`verbspec prove --accept\``,
      ),
  );
}

function recordIn(records: ThenRecords, step: ThenStep): ThenRecord | undefined {
  return records[step.rule]?.find((record) => isFor(record, step));
}

function isFor({ scenario, step, nth = 1 }: ThenRecord, then: ThenStep): boolean {
  return scenario === then.scenario && step === then.step && nth === then.nth;
}

function textOf({ place, step }: ThenStep): string {
  return `${place} Then "${step}"`;
}

function thenSteps(sound: readonly SoundScenario[]): ThenStep[] {
  const found = new Map<string, ThenStep>();
  for (const { uri, clauseIds, writtenName, steps } of sound) {
    const thens = steps.filter(({ isThen }) => isThen);
    for (const [index, { line, text }] of thens.entries()) {
      const nth = thens.slice(0, index + 1).filter((one) => one.text === text).length;
      const place = `${uri}:${line}`;
      found.set(place, { rule: clauseIds[0] ?? '', place, scenario: writtenName, step: text, nth });
    }
  }
  return [...found.values()];
}

function firstFailures(sound: readonly SoundScenario[], faults: readonly FaultRun[]): FirstFailures {
  const scenarios = new Map(sound.map((one) => [`${one.uri}:${one.line}`, one]));
  const own = new Set<string>();
  const others = new Map<string, string[]>();
  for (const { fault, failed } of faults) {
    for (const one of failed) {
      const place = failedStepOf(one, scenarios.get(`${one.uri}:${one.line}`));
      if (place === undefined || !violations.has(one.verdict)) continue;
      if (isOf(one, fault.rules)) own.add(place);
      else others.set(place, [...(others.get(place) ?? []), fault.name]);
    }
  }
  return { own, others };
}

/** Where the step stands that failed first, as `file:line`. */
export function failedStepOf({ failedAt }: ProvedScenario, scenario: SoundScenario | undefined): string | undefined {
  const step = failedAt === undefined ? undefined : scenario?.steps[failedAt];
  return step && scenario && `${scenario.uri}:${step.line}`;
}
