import type { RuleVerdict, ScenarioVerdict } from '../../catalog/verdict';
import { wrap } from '../evidence/wrap';
import { glue, paint, type Layout } from './summary-layout';

/** The words around counts. */
interface CountWords {
  readonly heading: string;
  /** Before the lines after the first. */
  readonly margin: string;
  /** In place of counts where there is nothing to count. */
  readonly none: string;
}

/** `2 conforms, 1 violates`; broken between numbers, and painted after that, as colors have a width too. */
export function paintedCounts<V extends RuleVerdict | ScenarioVerdict>(
  { heading, margin, none }: CountWords,
  items: readonly { readonly verdict: V }[],
  verdicts: readonly V[],
  layout: Layout,
): string[] {
  const texts = verdicts.flatMap((verdict) => {
    const number = items.filter((item) => item.verdict === verdict).length;
    return number === 0 ? [] : [`${number} ${verdict}`];
  });
  const glued = (texts.length === 0 ? [none] : texts).map((text) => text.replaceAll(' ', glue)).join(', ');
  return wrap(`${heading} ${glued}`, layout.columns, '', margin).map((line) =>
    verdicts
      .reduce(
        (painted, verdict) =>
          painted.replace(new RegExp(`\\d+${glue}${verdict}(?=,|$)`), (text) => paint(verdict, text, layout)),
        line,
      )
      .replaceAll(glue, ' '),
  );
}
