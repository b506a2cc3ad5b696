import { casesOfScenarios, type CaseState, type CiCase } from '../ci-formats/cases';
import type { Verdicts } from '../judge/verdicts';
import { isBroken, isFailing, kindInWords, type Change, type ScenarioChange } from './changes';
import { placeOf } from './gate-causes';
import type { GateResult } from './judge-gate';

/**
 * What a gate found, as tests of a CI system, each failure once: the scenarios of the run, of which those fail that are
 * worse than the baseline; and each change that no scenario stands for.
 */
export function gateCases({ changes }: GateResult, verdicts: Verdicts): CiCase[] {
  const told = new Map<string, ScenarioChange>();
  for (const change of changes.flatMap(({ scenarios }) => scenarios).filter(fails)) {
    if (!told.has(placeOf(change))) told.set(placeOf(change), change);
  }
  const others = changes.filter(({ scenarios }) => !scenarios.some(fails)).map(caseOf);
  const asBefore = {
    group: 'gate',
    subject: 'gate',
    name: 'as in the baseline',
    state: 'passed',
    verdict: 'pass',
  } as const;
  return [
    ...(changes.length > 0 ? others : [asBefore]),
    ...casesOfScenarios(verdicts).map((one) => judged(one, one.place && told.get(placeOf(one.place)))),
  ];
}

function fails(change: Pick<Change, 'kind'>): boolean {
  return isFailing(change) || isBroken(change);
}

/** A scenario against the baseline: what fails as it did before is no failure of the gate. */
function judged(one: CiCase, change: ScenarioChange | undefined): CiCase {
  const { message = one.verdict } = one;
  if (change !== undefined) {
    const { kind, what } = change;
    return { ...one, ...outcomeOf(change), message: `${kindInWords(kind)}: ${what}; ${message}` };
  }
  return one.state === 'failed' ? { ...one, state: 'skipped', message: `as in the baseline; ${message}` } : one;
}

function outcomeOf(change: Pick<Change, 'kind'>): { readonly state: CaseState; readonly verdict: string } {
  if (isFailing(change)) return { state: 'failed', verdict: change.kind };
  return isBroken(change) ? { state: 'error', verdict: 'broken' } : { state: 'passed', verdict: change.kind };
}

function caseOf(change: Change): CiCase {
  const { kind, subject, what, detail, elsewhere, scenarios } = change;
  const told = scenarios.map(
    (scenario) => `"${scenario.name}": ${scenario.what}${scenario.detail === undefined ? '' : `; ${scenario.detail}`}`,
  );
  const [first] = scenarios;
  return {
    group: 'gate',
    subject,
    name: kindInWords(kind),
    ...outcomeOf(change),
    message: [what, ...[detail, elsewhere].filter((text) => text !== undefined), ...told].join('; '),
    ...(first && { place: { uri: first.uri, line: first.line } }),
  };
}
