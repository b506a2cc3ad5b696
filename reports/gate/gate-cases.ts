import type { CiCase } from '../ci-formats/cases';
import { isBroken, isFailing, kindInWords, type Change } from './changes';
import type { GateResult } from './judge-gate';

/** What a gate found, as tests of a CI system: one for each change, or a single one that passes. */
export function gateCases({ changes }: GateResult): CiCase[] {
  const told = changes.map(caseOf);
  return told.length > 0
    ? told
    : [{ group: 'gate', subject: 'gate', name: 'as in the baseline', state: 'passed', verdict: 'pass' }];
}

function caseOf(change: Change): CiCase {
  const { kind, subject, what, detail, scenarios } = change;
  const told = scenarios.map(
    (scenario) => `"${scenario.name}": ${scenario.what}${scenario.detail === undefined ? '' : `; ${scenario.detail}`}`,
  );
  const [first] = scenarios;
  return {
    group: 'gate',
    subject,
    name: kindInWords(kind),
    state: isFailing(change) ? 'failed' : isBroken(change) ? 'error' : 'passed',
    verdict: isBroken(change) ? 'broken' : kind,
    message: [what, ...(detail === undefined ? [] : [detail]), ...told].join('; '),
    ...(first && { place: { uri: first.uri, line: first.line } }),
  };
}
