import { stateInWords } from '../judge/deviation-entries';
import { amiss, type Reckoning } from '../judge/match-deviations';
import { oneLine } from '../../catalog/plain-text';
import { paint, type Layout } from './summary-layout';
import { wrap } from '../evidence/wrap';

/** The listed deviations that showed, each reason once; then those that did not as they are listed, with what is to be done. */
export function deviationParts(reckonings: readonly Reckoning[], layout: Layout): string[][] {
  const shown = reckonings.filter(({ state }) => state === 'shown');
  const others = reckonings.filter(({ state }) => state !== 'shown');
  return [
    ...part('Known deviations', withOneReason(shown), shownLines, layout),
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

function shownLines(entries: Shown, layout: Layout): string[] {
  const { rule, reason, link } = entries[0].deviation;
  const [first = '', ...others] = wrap(`${rule}: ${oneLine(reason)} (${link})`, layout.columns, '  ', '    ');
  const scenarios = entries.flatMap(({ deviation: { scenario } }) => (scenario === undefined ? [] : [scenario]));
  return [
    paint('deviates', first, layout),
    ...others,
    ...scenarios.flatMap((scenario) => wrap(`- ${oneLine(scenario)}`, layout.columns, '    ', '      ')),
  ];
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
