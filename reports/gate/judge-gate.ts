import { amiss } from '../judge/match-deviations';
import { failing } from '../../catalog/verdict';
import { scenariosOf, type Verdicts } from '../judge/verdicts';
import type { Baseline } from './baseline';
import type { Causes } from '../diagnosis/causes';
import { changeKinds, isBroken, isFailing, type Change } from './changes';
import type { CombinedRun } from './combine-runs';
import { changedFacts } from './dut-conditions';
import { severityOf } from '../../catalog/severity';
import { causesOfGate } from './gate-causes';
import { countPages, countsInWords, pageOf } from './page-counts';
import { hasGrown, hasShrunk, pageStandings, type PageStanding } from './page-standing';
import { withOthers, type NamedBaseline } from './other-baselines';
import { withoutSometimes } from './sometimes';
import { changeOfException, departureOf } from './rule-changes';

/** How a run stands against a baseline. */
export interface GateResult {
  /** The most severe first. */
  readonly changes: readonly Change[];
  /** Rules of the run that are as in the baseline. */
  readonly unchanged: number;
  readonly rules: number;
  readonly runs: number;
  /** What is worth knowing and no change of the device, a line each. */
  readonly notes: readonly string[];
  /** What the failures look like that fail the gate. */
  readonly causes: Causes;
  readonly exitCode: 0 | 1 | 3;
}

export interface GateOptions {
  /** Only the rules that ran: those of the baseline that did not are no loss. */
  readonly selected?: boolean;
  /** What the failures of the run look like. */
  readonly causes?: Causes;
  /** What other devices are known to do; asked for where a rule has regressed. */
  readonly others?: () => readonly NamedBaseline[];
}

/**
 * Compares a run with a baseline.
 *
 * Exit code 3 if the device was lost, or something is broken and nothing else fails; a run in which no scenario was
 * executed says nothing and is 3 as well.
 */
export function judgeGate(baseline: Baseline, run: CombinedRun, options: GateOptions = {}): GateResult {
  const { selected = false, causes = { failed: 0, causes: [] }, others = () => [] } = options;
  const { runs } = run;
  const verdicts = withoutSometimes(baseline, run.verdicts);
  const pages = pageStandings(baseline, verdicts.rules);
  const changed = changesOfRules(baseline, { ...run, verdicts }, pages, selected);
  const vanished = [...shrunkPages(pages), ...vanishedExceptions(baseline, verdicts)];
  const changes = [
    ...lossOfDevice(verdicts),
    ...capabilityChanges(baseline, verdicts),
    ...changed,
    ...staleDeviations(verdicts),
    ...(selected ? [] : vanished),
  ].sort(inOrder);
  const hasRegressed = changes.some(({ kind }) => kind === 'regression');
  return {
    changes: hasRegressed ? withOthers(changes, others()) : changes,
    unchanged: verdicts.rules.length - changed.length,
    rules: verdicts.rules.length,
    runs,
    notes: [
      ...changesOfSetUp(baseline, verdicts),
      ...notesOnGrowth(pages),
      ...(vanished.length > 0 ? [noteOnSelection(baseline, verdicts, selected)] : []),
    ],
    causes: causesOfGate(causes, changes),
    exitCode: exitCodeOf(changes, verdicts),
  };
}

function changesOfRules(
  { exceptions }: Baseline,
  { verdicts, flaky }: CombinedRun,
  pages: ReadonlyMap<string, PageStanding>,
  selected: boolean,
): Change[] {
  const known = new Map(Object.entries(exceptions));
  return verdicts.rules.flatMap((rule) => {
    const before = known.get(rule.id);
    const differing = flaky.get(rule.id);
    if (before) return changeOfException(rule, before, { flaky: differing, selected }) ?? [];
    const page = pages.get(pageOf(rule.id));
    return (page && departureOf(rule, page, differing)) ?? [];
  });
}

function lossOfDevice({ dutLost }: Verdicts): Change[] {
  if (dutLost === undefined) return [];
  const what = 'the device under test was lost before the run was through';
  return [{ kind: 'device-lost', subject: 'device', what, detail: dutLost, scenarios: [] }];
}

function capabilityChanges({ capabilities }: Baseline, { dut, expectedCapabilities }: Verdicts): Change[] {
  const now: readonly string[] = dut.capabilities ?? [];
  const wanted = new Set([...capabilities, ...(expectedCapabilities?.missing ?? [])]);
  const lost = [...wanted].filter((name) => !now.includes(name));
  const gained = now.filter((name) => !capabilities.includes(name));
  return [
    ...lost.map((subject): Change => {
      return { kind: 'capability-lost', subject, what: 'the device has it no longer', scenarios: [] };
    }),
    ...gained.map((subject): Change => {
      return { kind: 'capability-gained', subject, what: 'the device did not have it', scenarios: [] };
    }),
  ];
}

/** Those that a scenario shows are reported with it. */
function staleDeviations({ deviations = [], rules }: Verdicts): Change[] {
  const surprising = new Set(
    rules.flatMap(({ id, scenarios }) => (scenarios.some(({ verdict }) => verdict === 'surprise') ? [id] : [])),
  );
  return deviations.flatMap(({ rule, scenario, state, detail, listedAt }): Change[] => {
    if (!amiss.has(state) || (state === 'surprise' && surprising.has(rule))) return [];
    const what = `${state}: ${detail}`;
    const where = [...(scenario === undefined ? [] : [`"${scenario}"`]), ...(listedAt === undefined ? [] : [listedAt])];
    const told = where.length === 0 ? {} : { detail: `listed for ${where.join(', at ')}` };
    return [{ kind: 'stale-deviation', subject: rule, what, ...told, scenarios: [] }];
  });
}

function shrunkPages(pages: ReadonlyMap<string, PageStanding>): Change[] {
  return [...pages.values()].filter(hasShrunk).map(({ page, before, now }): Change => {
    const what = `besides exceptions ${countsInWords(before)} in the baseline, ${countsInWords(now)} in the run`;
    return { kind: 'vanished', subject: page, what, scenarios: [] };
  });
}

function vanishedExceptions({ exceptions }: Baseline, { rules }: Verdicts): Change[] {
  const ran = new Set(rules.map(({ id }) => id));
  const missing = Object.entries(exceptions).filter(([id]) => !ran.has(id));
  return missing.map(([subject, { verdict }]): Change => {
    return { kind: 'vanished', subject, what: `${verdict} in the baseline, and not in the run`, scenarios: [] };
  });
}

/** Of two rules that are equally severe, the one with more failed scenarios is likelier the cause. */
function inOrder(one: Change, other: Change): number {
  return (
    changeKinds.indexOf(one.kind) - changeKinds.indexOf(other.kind) ||
    worst(other) - worst(one) ||
    failuresOf(other) - failuresOf(one)
  );
}

function worst({ scenarios }: Change): number {
  return Math.max(0, ...scenarios.map(({ verdict }) => severityOf(verdict)));
}

function failuresOf({ scenarios }: Change): number {
  return scenarios.filter(({ verdict }) => failing.has(verdict)).length;
}

function changesOfSetUp({ recorded }: Baseline, verdicts: Verdicts): string[] {
  const facts = changedFacts(recorded, verdicts);
  return facts.length === 0 ? [] : [`since the baseline: ${facts.join('; ')}`];
}

/** The baseline need not list what conforms, so what has been added since is worth no more than a note. */
function notesOnGrowth(pages: ReadonlyMap<string, PageStanding>): string[] {
  const grown = [...pages.values()].filter(hasGrown).map(({ page, before, now }) => {
    return `${page} ${now.scenarios - before.scenarios}`;
  });
  return grown.length === 0 ? [] : [`scenarios that the baseline does not count: ${grown.join(', ')}`];
}

function noteOnSelection({ counts }: Baseline, { rules }: Verdicts, selected: boolean): string {
  if (!selected) return 'if only a part was to run, --selected judges that part alone';
  const now = countPages(rules);
  const missing = Object.entries(counts).map(([page, counted]) => counted.rules - (now.get(page)?.rules ?? 0));
  const count = missing.reduce((sum, each) => sum + Math.max(0, each), 0);
  return `${count} rules of the baseline did not run and are not judged: --selected`;
}

function exitCodeOf(changes: readonly Change[], verdicts: Verdicts): 0 | 1 | 3 {
  if (verdicts.dutLost !== undefined) return 3;
  if (changes.some(isFailing)) return 1;
  const executed = scenariosOf(verdicts).some(({ verdict }) => verdict !== 'not-applicable');
  return !executed || changes.some(isBroken) ? 3 : 0;
}
