import { draftMark } from '../../catalog/drafts';
import { tiesByFingerprint, type Acknowledgement, type PageTies, type TiedSentence } from '../../catalog/ties';
import { driftOf, type Drift } from '../../reports/spec-book/drift';
import type { ManPage } from '../../reports/spec-book/man-page';
import { classify, type ClassifiedSentence } from './classify';
import { tieOf } from './page-draft';

/** The ties of a page to another edition of it. */
export interface Retied {
  readonly ties: PageTies;
  /** What the page says otherwise. */
  readonly drifts: readonly Drift[];
}

/**
 * Ties the clauses of a page to the sentences of another edition. What a sentence carries stays with it; a sentence that
 * was changed hands it on. What the edition so far says otherwise has to be acknowledged from now on.
 *
 * @param edition - of the page at hand
 */
export function retie(page: ManPage, version: string, edition: string, before: PageTies): Retied {
  const drifts = driftOf(page, version, before);
  const heirs = new Map(
    drifts.flatMap(({ change, fingerprint, of }) => (change === 'changed' && of ? [[of, fingerprint]] : [])),
  );
  const known = tiesByFingerprint(before);
  const old = new Map(before.sentences.map((sentence) => [sentence.fingerprint, sentence]));
  const origins = new Map([...heirs].map(([of, fingerprint]) => [fingerprint, old.get(of)]));
  const sentences = classify(page).map((sentence): TiedSentence => {
    const kept = old.get(sentence.id);
    if (kept !== undefined) return kept;
    return successor(sentence, known.get(sentence.id)?.clauses, origins.get(sentence.id));
  });
  const acknowledged = [
    ...stillTrue(before, heirs, new Set(sentences.map(({ fingerprint }) => fingerprint))),
    ...(edition === before.edition ? [] : drifts.map((drift) => backwards(drift, old, edition))),
  ];
  const { elsewhere } = before;
  const others = { ...(elsewhere && { elsewhere }), ...(acknowledged.length > 0 && { acknowledged }) };
  return { ties: { edition, sentences, ...others }, drifts };
}

/** @param acknowledged - clauses of an acknowledgement of it, which somebody has given it */
function successor(
  sentence: ClassifiedSentence,
  acknowledged: readonly string[] | undefined,
  origin: TiedSentence | undefined,
): TiedSentence {
  const clauses = acknowledged !== undefined && acknowledged.length > 0 ? acknowledged : origin?.clauses;
  const { fingerprint, sketch, note = origin?.note } = tieOf(sentence);
  const standing = clauses === undefined ? note !== undefined && { note } : { clauses };
  return { fingerprint, sketch, ...standing };
}

/** What was acknowledged of other editions, in terms of the sentences that there are now. */
function stillTrue(
  { acknowledged = [] }: PageTies,
  heirs: ReadonlyMap<string, string>,
  now: ReadonlySet<string>,
): Acknowledgement[] {
  return acknowledged.flatMap((entry): Acknowledgement[] => {
    const mine = entry.change === 'gone' ? entry.fingerprint : entry.of;
    const renamed = mine === undefined ? undefined : (heirs.get(mine) ?? mine);
    const isNews = entry.change === 'gone' || !now.has(entry.fingerprint);
    if (!isNews || (renamed !== undefined && !now.has(renamed))) return [];
    if (renamed === undefined) return [entry];
    return [entry.change === 'gone' ? { ...entry, fingerprint: renamed } : { ...entry, of: renamed }];
  });
}

/** What the edition so far says otherwise than the new one: the drift as seen from there. */
function backwards(
  { change, fingerprint, of, clauses: known }: Drift,
  old: ReadonlyMap<string, TiedSentence>,
  edition: string,
): Acknowledgement {
  const editions = `<${edition}`;
  const reason = `${draftMark}: what it means for the rules`;
  if (change === 'new') return { change: 'gone', fingerprint, editions, reason };
  const before = of ?? fingerprint;
  const clauses = old.get(before)?.clauses ?? known;
  const carried = clauses.length > 0 && { clauses };
  if (change === 'gone') return { change: 'new', fingerprint: before, ...carried, editions, reason };
  return { change: 'changed', fingerprint: before, of: fingerprint, ...carried, editions, reason };
}
