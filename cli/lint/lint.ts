import { basename } from 'node:path';
import { clauseIdsOf, type Clauses } from '../../catalog/clauses';
import { connectionProblems } from './lint-connection';
import { structureProblems } from './lint-structure';
import { tagProblems } from './lint-tags';
import { rulesIn, type FeatureFile } from '../inputs/registry';

/** Something wrong at a line of a file of the project. */
export interface Finding {
  /** Path within the project. */
  readonly uri: string;
  readonly line: number;
  /** What is wrong; remedy. */
  readonly text: string;
  /** The man page that it concerns, if it concerns one. */
  readonly page?: string;
}

/** Holds features against the clauses: everything that can be told without the steps. */
export function featureFindings(files: readonly FeatureFile[], clauses: Clauses): Finding[] {
  return [...files.flatMap((file) => fileFindings(file, clauses)), ...repeatedIds(files)];
}

/** One line, as compilers write theirs. */
export function lineOf({ uri, line, text }: Finding): string {
  return `${uri}:${line}: ${text}`;
}

/** By file and line. */
export function inOrder(one: Finding, other: Finding): number {
  return compare(one.uri, other.uri) || one.line - other.line || compare(one.text, other.text);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function fileFindings({ uri, document, problem }: FeatureFile, clauses: Clauses): Finding[] {
  const page = basename(uri, '.feature');
  const unread = problem ? [{ ...problem, text: `cannot be read: ${problem.text}; mend the file` }] : [];
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

function repeatedIds(files: readonly FeatureFile[]): Finding[] {
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
