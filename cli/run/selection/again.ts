import { UsageError } from '../../../drivers/contract';
import type { ScenarioVerdict } from '../../../catalog/verdict';
import { scenariosOf } from '../../../reports/judge/verdicts';
import { readRuns } from '../../inputs/recorded-runs';
import type { Specification } from '../../inputs/features';

/** What a run leaves nothing to ask about. */
const settled: ReadonlySet<ScenarioVerdict> = new Set(['pass', 'deviates', 'not-applicable']);

/**
 * The scenarios of an earlier run that did not come out as expected, as selectors.
 *
 * @param path - folder of a run, or its verdicts.json
 * @throws UsageError if there are none, or if the features have them no more
 */
export function scenariosAgain(path: string, { rules }: Pick<Specification, 'rules'>): string[] {
  const failed = readRuns([path]).flatMap(({ verdicts }) =>
    scenariosOf(verdicts).filter(({ verdict }) => !settled.has(verdict)),
  );
  if (failed.length === 0)
    throw new UsageError(`everything in ${path} came out as expected`, 'there is nothing to run again');
  const known = rules.flatMap(({ uri, scenarios }) => scenarios.map((scenario) => ({ uri, ...scenario })));
  const places = failed.map(({ uri, line, name }) => {
    const same = known.filter((scenario) => scenario.uri === uri && scenario.name === name);
    const found = same.find((scenario) => scenario.line === line) ?? (same.length === 1 ? same[0] : undefined);
    if (found !== undefined) return `${uri}:${found.line}`;
    throw new UsageError(
      `${path} is of other features: ${uri}:${line} is not "${name}"`,
      'use the verbspec that made it',
    );
  });
  return [...new Set(places)];
}
