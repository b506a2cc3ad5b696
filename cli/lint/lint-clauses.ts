import { basename, dirname, join } from 'node:path';
import { clauseIdsOf, type Clause } from '../../catalog/clauses';
import { isDraft } from '../../catalog/drafts';
import { rulesIn, type FeatureFile } from '../inputs/features';
import type { LintFinding } from './finding';
import { authorityProblems } from './lint-authority';

/** The clauses of a page with the file that lists them. */
export interface ClauseFile {
  readonly page: string;
  /** Path within the project. */
  readonly uri: string;
  readonly text: string;
  readonly clauses: readonly Clause[];
}

/** What is wrong with the clauses of a page: drafts, those that say too little or the same as their Rule, and wrong authorities. */
export function clauseFindings(clauseFile: ClauseFile, files: readonly FeatureFile[]): LintFinding[] {
  const { page, uri, text, clauses } = clauseFile;
  const feature = join(dirname(uri), `${page}.feature`);
  const own = files.find((file) => file.uri === feature);
  const ruled = new Set(
    files.flatMap(({ document }) => rulesIn(document?.feature)).flatMap(({ tags }) => clauseIdsOf(tags)),
  );
  const lines = text.split('\n');
  const problems = clauses.flatMap((clause) =>
    [
      ...problemsOf(clause, ruled.has(clause.id), own?.problem === undefined, feature),
      ...authorityProblems(clause),
    ].map((problem) => ({
      uri,
      line: lines.findIndex((line) => line.includes(`"${clause.id}"`)) + 1,
      text: problem,
      page,
    })),
  );
  const missing = {
    uri,
    line: 1,
    text: `there is no ${basename(feature)} beside these clauses; write ${feature}`,
    page,
  };
  return own === undefined ? [missing, ...problems] : problems;
}

/** @param isRead - a feature that cannot be read may have all of the rules */
function problemsOf(clause: Clause, isRuled: boolean, isRead: boolean, feature: string): string[] {
  const { id, page, section, statement, untested, proved } = clause;
  if (/\.todo-\d+$/.test(id) || isDraft(`${statement ?? ''} ${untested ?? ''}`)) {
    return [`clause ${id} of ${page}, ${section}, is a draft; name it and say in your own words what the page states`];
  }
  if (isRuled && untested !== undefined) return [`clause ${id} has a Rule and a reason why not; remove one`];
  if (isRuled && statement !== undefined) {
    return [`clause ${id} has a Rule, whose title says what it states; take "statement" out`];
  }
  if (isRuled && proved === undefined) {
    return [`clause ${id} has a Rule, and nothing that it has to prove; run \`npx verbspec prove --accept\``];
  }
  if (isRuled || untested !== undefined || !isRead) return [];
  return [
    `clause ${id} of ${page}, ${section}, has no Rule; write one in ${feature}, or "statement" and, as the reason why not, "untested" here`,
  ];
}
