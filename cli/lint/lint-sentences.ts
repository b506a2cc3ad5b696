import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clauses } from '../../catalog/clauses';
import { isDraft } from '../../catalog/drafts';
import { pageFiles } from '../../catalog/page-data';
import { loadTies, type PageTies, type Ties } from '../../catalog/ties';
import { parseRange } from '../../catalog/version-range';
import type { LintFinding } from './finding';

/** What is wrong with the ties of clauses to sentences: what they name, and what they leave out. */
export function sentenceFindings(project: string, clauses: Clauses): LintFinding[] {
  const folder = join(project, 'features');
  const ties = loadTies(folder);
  const known = new Set([...clauses.values()].map(({ page }) => page));
  const uris = new Map(pageFiles('sentences', folder).map(({ page, path }) => [page, join('features', path)]));
  return [
    ...[...uris].flatMap(([page, uri]) => {
      const lines = readFileSync(join(project, uri), 'utf8').split('\n');
      const at = (needle: string): number => lines.findIndex((line) => line.includes(`"${needle}"`)) + 1;
      const own = ties.get(page);
      const problems = own === undefined ? [] : problemsOf(own, clauses);
      const stray = known.has(page)
        ? []
        : [{ needle: 'edition', text: `no clause belongs to the page ${page}; remove the file` }];
      return [...stray, ...problems].map(({ needle, text }) => ({ uri, line: at(needle), text, page }));
    }),
    ...withoutSentences(folder, uris),
    ...untied(ties, clauses, uris),
  ];
}

function withoutSentences(folder: string, uris: ReadonlyMap<string, string>): LintFinding[] {
  return pageFiles('clauses', folder)
    .filter(({ page }) => !uris.has(page))
    .map(({ page, path }) => {
      const missing = `${page}.sentences.json`;
      const text = `there is no ${missing} beside these clauses; \`verbspec tie ${page}\` writes ${join('features', dirname(path), missing)}`;
      return { uri: join('features', path), line: 1, text, page };
    });
}

interface Problem {
  /** What the line has in it. */
  readonly needle: string;
  readonly text: string;
}

function problemsOf(ties: PageTies, clauses: Clauses): Problem[] {
  const fingerprints = ties.sentences.map(({ fingerprint }) => fingerprint);
  const repeated = fingerprints.filter((fingerprint, index) => fingerprints.indexOf(fingerprint) < index);
  const unknown = clauseIdsIn(ties).filter((id) => !clauses.has(id));
  return [
    ...repeated.map((needle) => ({ needle, text: `the sentence ${needle} is listed twice; remove one` })),
    ...unknown.map((needle) => ({ needle, text: `there is no clause ${needle}; \`verbspec rules\` lists all` })),
    ...ties.sentences
      .filter(({ clauses: ids, note }) => ids !== undefined && note !== undefined)
      .map(({ fingerprint: needle }) => ({ needle, text: `clauses stand on ${needle}, and a note says none is to` })),
    ...unsaid(ties, clauses),
    ...acknowledgementProblems(ties, fingerprints),
  ];
}

function clauseIdsIn({ sentences, elsewhere = [], acknowledged = [] }: PageTies): string[] {
  return [...sentences, ...elsewhere, ...acknowledged].flatMap(({ clauses = [] }) => clauses);
}

/** What no sentence says does not rest on the page. */
function unsaid({ elsewhere = [] }: PageTies, clauses: Clauses): Problem[] {
  const ids = elsewhere.flatMap((entry) => entry.clauses);
  return ids
    .filter((id) => clauses.get(id)?.authority === 'page')
    .map((needle) => ({
      needle,
      text: `clause ${needle} stands on no sentence, and its authority is the page; name another, or tie it`,
    }));
}

/** An acknowledgement of what cannot happen hides nothing, but misleads a reader. */
function acknowledgementProblems({ acknowledged = [] }: PageTies, fingerprints: readonly string[]): Problem[] {
  return acknowledged.flatMap(({ change, fingerprint, of, editions, reason }) => {
    const [mine, other] = change === 'gone' ? [fingerprint, undefined] : [of, fingerprint];
    const wrong = [
      ...((mine === undefined) === (change === 'new') ? [] : [`"of" goes with "changed" and nothing else`]),
      ...(mine === undefined || fingerprints.includes(mine) ? [] : [`there is no sentence ${mine}`]),
      ...(other !== undefined && fingerprints.includes(other)
        ? [`${other} is a sentence of the page, and no news`]
        : []),
      ...rangeProblem(editions),
      ...(isDraft(reason) ? [`look at the rules, and say what the sentence ${fingerprint} means for them`] : []),
    ];
    return wrong.map((text) => ({ needle: fingerprint, text: `${text}; fix the acknowledgement` }));
  });
}

function rangeProblem(range: string): string[] {
  try {
    parseRange(range);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** A page without sentences has a finding of its own. */
function untied(ties: Ties, clauses: Clauses, uris: ReadonlyMap<string, string>): LintFinding[] {
  const tied = new Set(
    [...ties.values()].flatMap(({ sentences, elsewhere = [] }) =>
      [...sentences, ...elsewhere].flatMap(({ clauses: ids = [] }) => ids),
    ),
  );
  return [...clauses.values()].flatMap(({ id, page }) => {
    const uri = uris.get(page);
    if (uri === undefined || tied.has(id)) return [];
    const text = `clause ${id} stands on no sentence; tie it to one, or say under "elsewhere" of ${page} why there is none`;
    return [{ uri, line: 1, text, page }];
  });
}
