import { join } from 'node:path';
import { loadClauses } from '../../../catalog/clauses';
import { featuresFolder, pageFiles, readJson } from '../../../catalog/page-data';
import type { Accepted } from '../../../reports/proof/proof-accepted';
import { writeTo } from '../../out/write-file';
import { renderJson } from '../../common/render-json';

/**
 * What was accepted as proved, beside the features.
 *
 * @param ids - clause ids of the rules that are asked for; all unless given
 */
export function readAccepted(ids: readonly string[] | undefined): Accepted {
  const clauses = [...loadClauses().values()].filter(({ id }) => ids === undefined || ids.includes(id));
  return Object.fromEntries(clauses.flatMap(({ id, proved }) => (proved === undefined ? [] : [[id, proved]])));
}

/** Takes what is proved now for what has to be proved from now on. */
export function writeAccepted(accepted: Accepted, folder: string = featuresFolder): void {
  for (const { path } of pageFiles('clauses', folder)) {
    const file = join(folder, path);
    const clauses = readJson(file) as { readonly id: string; readonly proved?: unknown }[];
    const text = renderJson(clauses.map((clause) => withProved(clause, accepted)));
    if (text !== renderJson(clauses)) writeTo(file, text);
  }
}

function withProved(clause: { readonly id: string; readonly proved?: unknown }, accepted: Accepted): object {
  const { id } = clause;
  return { ...clause, proved: accepted[id] }; // JSON leaves out what is undefined
}
