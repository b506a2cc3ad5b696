import { stateInWords } from '../judge/deviation-entries';
import type { JudgedRun, JudgedScenario } from '../judge/judged-run';
import { amiss, type Reckoning } from '../judge/match-deviations';
import { evidenceText } from '../../catalog/deviations';
import { oneLine } from '../../catalog/plain-text';
import { paint, type Layout } from './summary-layout';
import { wrap } from '../evidence/wrap';

type Deviating = Pick<JudgedRun, 'reckonings'> & {
  readonly scenarios: readonly Pick<JudgedScenario, 'match' | 'notRun'>[];
};

/** The listed deviations that showed, each reason once; those that show only sometimes and did not; then those that want something done. */
export function deviationParts({ reckonings, scenarios }: Deviating, layout: Layout): string[][] {
  const shown = reckonings.filter(({ state }) => state === 'shown');
  const absent = reckonings.filter(({ state }) => state === 'not-this-time');
  const others = reckonings.filter(({ state }) => state !== 'shown' && state !== 'not-this-time');
  const lines = (entries: Shown): string[] => shownLines(entries, scenarios, layout);
  return [
    ...part('Known deviations', withOneReason(shown), lines, layout),
    ...part('Known deviations that did not show this time', absent, absentLines, layout),
    ...part('Listed stale deviations', others, otherLines, layout),
  ];
}

function part<T>(
  heading: string,
  entries: readonly T[],
  linesOf: (entry: T, layout: Layout) => string[],
  layout: Layout,
): string[][] {
  if (entries.length === 0) return [];
  return [[layout.colors.bold(heading), ...entries.flatMap((entry) => linesOf(entry, layout))]];
}

/** Entries of one rule that differ in their scenario alone. */
type Shown = readonly [Reckoning, ...Reckoning[]];

function withOneReason(reckonings: readonly Reckoning[]): Shown[] {
  const groups = new Map<string, [Reckoning, ...Reckoning[]]>();
  for (const reckoning of reckonings) {
    const { rule, reason, link } = reckoning.deviation;
    const key = JSON.stringify([rule, reason, link]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [reckoning]);
    else group.push(reckoning);
  }
  return [...groups.values()];
}

function shownLines(entries: Shown, scenarios: Deviating['scenarios'], layout: Layout): string[] {
  const { deviation } = entries[0];
  const said = `${deviation.rule}: ${oneLine(deviation.reason)} (${evidenceText(deviation)})`;
  const [first = '', ...others] = wrap(said, layout.columns, '  ', '    ');
  return [
    paint('deviates', first, layout),
    ...others,
    ...entries.flatMap((entry) => entryLines(entry, scenarios, layout)),
  ];
}

/** The scenario that an entry is for, and what could not be shown because of it. */
function entryLines(entry: Reckoning, scenarios: Deviating['scenarios'], layout: Layout): string[] {
  const { scenario } = entry.deviation;
  const steps = new Set(scenarios.flatMap(({ match, notRun }) => (match === entry ? notRun : [])));
  return [
    ...(scenario === undefined ? [] : wrap(`- ${oneLine(scenario)}`, layout.columns, '    ', '      ')),
    ...[...steps].flatMap((step) => wrap(`did not run: ${oneLine(step)}`, layout.columns, '      ', '        ')),
  ];
}

function absentLines({ deviation }: Reckoning, layout: Layout): string[] {
  const { rule, scenario, showsOnlyIf } = deviation;
  const said = `${rule}, "${scenario}": shows only if ${showsOnlyIf} (${evidenceText(deviation)})`;
  return wrap(oneLine(said), layout.columns, '  ', '    ');
}

function otherLines(reckoning: Reckoning, layout: Layout): string[] {
  const { rule, scenario, reason, listedAt } = reckoning.deviation;
  const what = `${reckoning.state}: ${rule}${scenario === undefined ? '' : `, "${scenario}"`}`;
  const verdict = amiss.has(reckoning.state) ? 'surprise' : 'broken';
  const place = listedAt === undefined ? [] : wrap(listedAt, layout.columns, '    ');
  return [
    ...wrap(oneLine(what), layout.columns, '  ', '    ').map((line) => paint(verdict, line, layout)),
    ...place.map((line) => layout.colors.dim(line)),
    ...wrap(oneLine(stateInWords(reckoning)), layout.columns, '    '),
    ...wrap(`Reason: ${oneLine(reason)}`, layout.columns, '    '),
  ];
}
