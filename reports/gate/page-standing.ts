import { failing } from '../../catalog/verdict';
import type { RuleEntry } from '../judge/verdicts';
import type { Baseline } from './baseline';
import { countPages, pageOf, type PageCounts } from './page-counts';

const none: PageCounts = { rules: 0, scenarios: 0 };

/** How a run of a man page stands against a baseline, as far as its rules are no exceptions: all of them conformed. */
export interface PageStanding {
  readonly page: string;
  readonly before: PageCounts;
  readonly now: PageCounts;
  /** Scenarios that did not pass, except for those that fail a gate: these are regressions whatever the others do. */
  readonly departing: number;
}

/** The pages of a baseline and of a run, without the exceptions of the baseline, which are judged one by one. */
export function pageStandings(
  { counts, exceptions }: Baseline,
  rules: readonly RuleEntry[],
): Map<string, PageStanding> {
  const ordinary = rules.filter(({ id }) => !Object.hasOwn(exceptions, id));
  const counted = new Map(Object.entries(counts));
  const now = countPages(ordinary);
  const pages = new Set([...counted.keys(), ...now.keys()]);
  const standings = [...pages].map((page): PageStanding => {
    const own = ordinary.filter(({ id }) => pageOf(id) === page).flatMap(({ scenarios }) => scenarios);
    return {
      page,
      before: conformingBefore(page, counted.get(page) ?? none, exceptions),
      now: now.get(page) ?? none,
      departing: own.filter(({ verdict }) => verdict !== 'pass' && !failing.has(verdict)).length,
    };
  });
  return new Map(standings.map((standing) => [standing.page, standing]));
}

function conformingBefore(page: string, counted: PageCounts, exceptions: Baseline['exceptions']): PageCounts {
  const known = Object.entries(exceptions).filter(([id]) => pageOf(id) === page);
  const scenarios = known.map(([, { pass, others }]) => pass + Object.keys(others).length);
  return {
    rules: counted.rules - known.length,
    scenarios: counted.scenarios - scenarios.reduce((sum, count) => sum + count, 0),
  };
}

/** Whether some of its scenarios are new. The baseline names none that passed, so it is not known which. */
export function hasGrown({ before, now }: PageStanding): boolean {
  return now.scenarios > before.scenarios;
}

/** Whether there are so many more scenarios that those which did not pass may all be new. */
export function keepsPasses({ before, now, departing }: PageStanding): boolean {
  return now.scenarios - departing >= before.scenarios;
}

/** Whether rules or scenarios are gone. */
export function hasShrunk({ before, now }: PageStanding): boolean {
  return now.rules < before.rules || now.scenarios < before.scenarios;
}
