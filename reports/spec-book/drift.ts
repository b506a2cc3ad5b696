import { inVersionRange } from '../../catalog/version-range';
import { similarity, sketchOf } from '../../catalog/fingerprint';
import { sentencesOf, textOfRuns, type ManPage } from './man-page';
import type { PageTies, TiedSentence } from '../../catalog/ties';

/** How a page departs from the sentences that are known of it. */
export interface Drift {
  readonly page: string;
  readonly change: 'new' | 'changed' | 'gone';
  /** Of the sentence that is new or changed, or of the one that is gone. */
  readonly fingerprint: string;
  readonly section?: string;
  /** What the page says now. */
  readonly text?: string;
  /** Fingerprint of what a changed sentence was. */
  readonly of?: string;
  /** Rules to look at. */
  readonly clauses: readonly string[];
  /** Why it needs no further look. */
  readonly acknowledged?: string;
}

/** Sentences that have fewer words in common are two, not one that was changed. */
const similarityMin = 0.5;

/** What is known of a page. */
type KnownSentences = Pick<PageTies, 'sentences' | 'acknowledged'>;

type Added = ReturnType<typeof addedTo>[number];

/**
 * Compares a page with its known sentences.
 *
 * @param version - of rdma-core; an acknowledgement for other versions does not hold
 */
export function driftOf(page: ManPage, version: string, ties: KnownSentences): Drift[] {
  const added = addedTo(page, ties);
  const ids = new Set(sentencesOf(page).map(({ id }) => id));
  const gone = ties.sentences.filter(({ fingerprint }) => !ids.has(fingerprint));
  const pairs = pairUp(added, gone);
  const drifts = [
    ...added.map((sentence) => ofAdded(page.name, sentence, pairs.get(sentence))),
    ...gone.filter((one) => ![...pairs.values()].includes(one)).map((one) => ofGone(page.name, one)),
  ];
  return drifts.map((drift) => withAcknowledgement(drift, version, ties));
}

function addedTo(
  page: ManPage,
  { sentences }: KnownSentences,
): { id: string; section: string; text: string; sketch: string }[] {
  const known = new Set(sentences.map(({ fingerprint }) => fingerprint));
  return sentencesOf(page)
    .filter(({ id }) => !known.has(id))
    .map(({ id, section, runs }) => ({ id, section, text: textOfRuns(runs), sketch: sketchOf(textOfRuns(runs)) }));
}

/** Each new sentence with the gone one that it is most like, the closest first. */
function pairUp(added: readonly Added[], gone: readonly TiedSentence[]): ReadonlyMap<Added, TiedSentence> {
  const candidates = added
    .flatMap((one) => gone.map((other) => ({ one, other, likeness: similarity(one.sketch, other.sketch) })))
    .filter(({ likeness }) => likeness >= similarityMin)
    .sort((a, b) => b.likeness - a.likeness);
  const pairs = new Map<Added, TiedSentence>();
  for (const { one, other } of candidates) {
    if (!pairs.has(one) && ![...pairs.values()].includes(other)) pairs.set(one, other);
  }
  return pairs;
}

function ofAdded(page: string, { id, section, text }: Added, was: TiedSentence | undefined): Drift {
  const common = { page, fingerprint: id, section, text };
  if (was === undefined) return { ...common, change: 'new', clauses: [] };
  return { ...common, change: 'changed', of: was.fingerprint, clauses: was.clauses ?? [] };
}

function ofGone(page: string, { fingerprint, clauses = [] }: TiedSentence): Drift {
  return { page, change: 'gone', fingerprint, clauses };
}

function withAcknowledgement(drift: Drift, version: string, { acknowledged = [] }: KnownSentences): Drift {
  const found = acknowledged.find(
    ({ change, fingerprint, of, editions }) =>
      change === drift.change &&
      fingerprint === drift.fingerprint &&
      of === drift.of &&
      inVersionRange(version, editions) !== false,
  );
  return found === undefined ? drift : { ...drift, acknowledged: found.reason };
}
