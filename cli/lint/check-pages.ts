import { oneLine } from '../../catalog/plain-text';
import { driftOf, type Drift } from '../../reports/spec-book/drift';
import { sentencesOf } from '../../reports/spec-book/man-page';
import { editionsOf, type Ties } from '../../catalog/ties';
import type { Edition } from '../inputs/man-pages';

/**
 * Tells what an edition of the man pages says otherwise than the sentences that the rules were written from.
 *
 * @returns the exit code: 1 if there is something that nobody has acknowledged
 */
export function checkEdition(edition: Edition, ties: Ties, print: (text: string) => void): number {
  const drifts = edition.pages.flatMap((page) =>
    driftOf(page, edition.version, ties.get(page.name) ?? { sentences: [] }),
  );
  for (const drift of drifts) print(`${oneLine(lineOfDrift(drift))}\n`);
  const news = drifts.filter(({ acknowledged }) => acknowledged === undefined).length;
  const sentences = edition.pages.flatMap(sentencesOf).length;
  const outcome =
    drifts.length === 0
      ? `as in ${editionsOf(ties)}`
      : `${drifts.length} differ from ${editionsOf(ties)}, ${news} not acknowledged`;
  print(`rdma-core ${oneLine(edition.version)}: ${edition.pages.length} pages, ${sentences} sentences, ${outcome}\n`);
  if (news > 0) print('look at the rules named, then acknowledge the sentences in the .sentences.json of their page\n');
  return news > 0 ? 1 : 0;
}

/** A drift in words: where, what, and the rules to look at. */
export function lineOfDrift({ page, section, change, fingerprint, of, text, clauses, acknowledged }: Drift): string {
  const place = section === undefined ? page : `${page}, ${section}`;
  const was = of === undefined ? '' : ` (was ${of})`;
  const said = text === undefined ? '' : `: "${text.replace(/\s+/g, ' ').trim()}"`;
  const rules = clauses.length === 0 ? 'no rule stands on it' : `rules to look at: ${clauses.join(', ')}`;
  const look = acknowledged === undefined ? rules : `acknowledged: ${acknowledged}`;
  return `${place}: ${change} ${fingerprint}${was}${said}; ${look}`;
}
