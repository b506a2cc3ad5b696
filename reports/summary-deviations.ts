import { stateInWords } from './deviation-entries';
import { amiss, type Reckoning } from './match-deviations';
import { oneLine } from './plain-text';
import { paint, type Layout } from './summary-layout';
import { wrap } from './wrap';

/** The listed deviations that showed, each once; then those that did not as they are listed, with what is to be done. */
export function deviationParts(reckonings: readonly Reckoning[], layout: Layout): string[][] {
  const shown = reckonings.filter(({ state }) => state === 'shown');
  const others = reckonings.filter(({ state }) => state !== 'shown');
  return [
    ...part('Known deviations', shown, shownLines, layout),
    ...part('Listed deviations to mend', others, otherLines, layout),
  ];
}

function part(
  heading: string,
  reckonings: readonly Reckoning[],
  linesOf: (reckoning: Reckoning, layout: Layout) => string[],
  layout: Layout,
): string[][] {
  if (reckonings.length === 0) return [];
  return [[layout.colors.bold(heading), ...reckonings.flatMap((reckoning) => linesOf(reckoning, layout))]];
}

function shownLines({ deviation: { rule, reason, link } }: Reckoning, layout: Layout): string[] {
  const [first = '', ...others] = wrap(`${rule}: ${oneLine(reason)} (${link})`, layout.columns, '  ', '    ');
  return [paint('deviates', first, layout), ...others];
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
