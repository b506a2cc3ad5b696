import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clauses } from '../../catalog/clauses';
import { loadTies, type PageTies } from '../../catalog/ties';
import { parseRange } from '../../catalog/version-range';
import type { Finding } from './lint';

const uri = join('features', 'sentences.json');

/** What is wrong with the ties of clauses to sentences: what they name, and what they leave out. */
export function sentenceFindings(project: string, clauses: Clauses): Finding[] {
  const path = join(project, uri);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  const { pages } = loadTies(path);
  const at = (needle: string): number => lines.findIndex((line) => line.includes(`"${needle}"`)) + 1;
  const finding = (needle: string, page: string, text: string): Finding => ({ uri, line: at(needle), text, page });
  const known = new Set([...clauses.values()].map(({ page }) => page));
  return [
    ...Object.keys(pages)
      .filter((page) => !known.has(page))
      .map((page) => finding(page, page, `no clause is of the page ${page}; take it out`)),
    ...Object.entries(pages).flatMap(([page, ties]) =>
      problemsOf(ties, clauses).map(({ needle, text }) => finding(needle, page, text)),
    ),
    ...untied(pages, clauses),
  ];
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
    ...repeated.map((needle) => ({ needle, text: `the sentence ${needle} is there twice; remove one` })),
    ...unknown.map((needle) => ({ needle, text: `there is no clause ${needle}; \`verbspec rules\` lists all` })),
    ...ties.sentences
      .filter(({ clauses: ids, note }) => ids !== undefined && note !== undefined)
      .map(({ fingerprint: needle }) => ({ needle, text: `clauses stand on ${needle}, and a note says none is to` })),
    ...acknowledgementProblems(ties, fingerprints),
  ];
}

function clauseIdsIn({ sentences, elsewhere = [], acknowledged = [] }: PageTies): string[] {
  return [...sentences, ...elsewhere, ...acknowledged].flatMap(({ clauses = [] }) => clauses);
}

/** An acknowledgement of what cannot happen hides nothing, but tells a reader what is not so. */
function acknowledgementProblems({ acknowledged = [] }: PageTies, fingerprints: readonly string[]): Problem[] {
  return acknowledged.flatMap(({ change, fingerprint, of, editions }) => {
    const [mine, other] = change === 'gone' ? [fingerprint, undefined] : [of, fingerprint];
    const wrong = [
      ...((mine === undefined) === (change === 'new') ? [] : [`"of" goes with "changed" and nothing else`]),
      ...(mine === undefined || fingerprints.includes(mine) ? [] : [`there is no sentence ${mine}`]),
      ...(other !== undefined && fingerprints.includes(other)
        ? [`${other} is a sentence of the page, and no news`]
        : []),
      ...rangeProblem(editions),
    ];
    return wrong.map((text) => ({ needle: fingerprint, text: `${text}; mend the acknowledgement` }));
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

function untied(pages: Readonly<Record<string, PageTies>>, clauses: Clauses): Finding[] {
  const tied = new Set(
    Object.values(pages).flatMap(({ sentences, elsewhere = [] }) =>
      [...sentences, ...elsewhere].flatMap(({ clauses: ids = [] }) => ids),
    ),
  );
  return [...clauses.values()]
    .filter(({ id }) => !tied.has(id))
    .map(({ id, page }) => ({
      uri,
      line: 1,
      text: `clause ${id} stands on no sentence; tie it to one, or say under "elsewhere" of ${page} why there is none`,
      page,
    }));
}
