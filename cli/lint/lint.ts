import { basename } from 'node:path';
import { clauseIdsOf, type Clauses } from '../../catalog/clauses';
import type { LintFinding } from './finding';
import { connectionProblems } from './lint-connection';
import { structureProblems } from './lint-structure';
import { tagProblems } from './lint-tags';
import { rulesIn, type FeatureFile } from '../inputs/features';

/** Compares features with the clauses: everything that can be found without the steps. */
export function featureFindings(files: readonly FeatureFile[], clauses: Clauses): LintFinding[] {
  return [...files.flatMap((file) => fileFindings(file, clauses)), ...repeatedIds(files)];
}

function fileFindings({ uri, document, problem }: FeatureFile, clauses: Clauses): LintFinding[] {
  const page = basename(uri, '.feature');
  const unread = problem ? [{ ...problem, text: `cannot be read: ${problem.text}; fix the file` }] : [];
  const found = document
    ? [
        ...(document.feature ? tagProblems(document.feature, uri, clauses) : []),
        ...(document.feature ? connectionProblems(document.feature) : []),
        ...structureProblems(document, page),
      ]
    : unread;
  return found.map(({ line, text }) => ({ uri, line, text, page }));
}

/** The clause ids that Rules carry, with where they stand. */
function ruleIds(files: readonly FeatureFile[]): { id: string; uri: string; line: number }[] {
  return files.flatMap(({ uri, document }) => {
    return rulesIn(document?.feature).flatMap(({ tags, location }) =>
      clauseIdsOf(tags).map((id) => ({
        id,
        uri,
        line: tags.find(({ name }) => name === `@${id}`)?.location.line ?? location.line,
      })),
    );
  });
}

function repeatedIds(files: readonly FeatureFile[]): LintFinding[] {
  const places = new Map<string, string>();
  return ruleIds(files).flatMap(({ id, uri, line }) => {
    const first = places.get(id);
    if (first === undefined) {
      places.set(id, `${uri}:${line}`);
      return [];
    }
    const text = `@${id} stands already on the Rule at ${first}; make them one Rule`;
    return [{ uri, line, text, page: basename(uri, '.feature') }];
  });
}
