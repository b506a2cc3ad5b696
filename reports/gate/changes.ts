import type { ScenarioVerdict } from '../../catalog/verdict';

/** The kinds of changes that a gate reports, in its order: the cause before what follows from it. */
export const changeKinds = [
  'device-lost',
  'capability-lost',
  'regression',
  'surprise',
  'stale-deviation',
  'vanished',
  'flaky',
  'broken',
  'new',
  'improvement',
  'capability-gained',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** One thing that is not as the baseline has it. */
export interface Change {
  readonly kind: ChangeKind;
  /** Id of a rule, or name of a capability. */
  readonly subject: string;
  /** What the rule says. */
  readonly title?: string;
  /** What it was and what it is, in a few words. */
  readonly what: string;
  /** Why, where no scenario shows it. */
  readonly detail?: string;
  /** What other devices are known to do, by their baselines. */
  readonly elsewhere?: string;
  readonly scenarios: readonly ScenarioChange[];
}

/** A scenario that made a rule change. */
export interface ScenarioChange {
  readonly kind: ChangeKind;
  readonly name: string;
  /** Path of the feature file. */
  readonly uri: string;
  readonly line: number;
  readonly verdict: ScenarioVerdict;
  /** What it was and what it is, in a few words. */
  readonly what: string;
  /** What was expected and observed. */
  readonly detail?: string;
}

const failing: ReadonlySet<ChangeKind> = new Set([
  'capability-lost',
  'regression',
  'surprise',
  'stale-deviation',
  'vanished',
  'flaky',
]);

/** Whether a change alone makes the gate fail with exit code 1. */
export function isFailing({ kind }: Pick<Change, 'kind'>): boolean {
  return failing.has(kind);
}

/** Whether it means that nothing is said of the device, or not all: exit code 3. */
export function isBroken({ kind }: Pick<Change, 'kind'>): boolean {
  return kind === 'broken' || kind === 'device-lost';
}

const nouns: Readonly<Record<ChangeKind, readonly [string, string]>> = {
  'device-lost': ['device lost', 'devices lost'],
  'capability-lost': ['capability lost', 'capabilities lost'],
  regression: ['regression', 'regressions'],
  surprise: ['surprise', 'surprises'],
  'stale-deviation': ['stale deviation', 'stale deviations'],
  vanished: ['rule vanished', 'rules vanished'],
  flaky: ['flaky rule', 'flaky rules'],
  broken: ['rule broken', 'rules broken'],
  new: ['rule new', 'rules new'],
  improvement: ['improvement', 'improvements'],
  'capability-gained': ['capability gained', 'capabilities gained'],
};

/** A kind in words, for one or for several. */
export function kindInWords(kind: ChangeKind, count = 1): string {
  return nouns[kind][count === 1 ? 0 : 1];
}

/** `1 regression, 2 rules new`, in the order of the kinds. */
export function countsOf(changes: readonly Change[]): string[] {
  return changeKinds.flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kindInWords(kind, count)}`];
  });
}
