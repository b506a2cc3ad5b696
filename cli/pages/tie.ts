import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nearest, UsageError } from '../../drivers/contract';
import { loadClauses } from '../../catalog/clauses';
import { featuresFolder, pageFiles } from '../../catalog/page-data';
import { oneLine } from '../../catalog/plain-text';
import { loadTies, type PageTies, type Ties } from '../../catalog/ties';
import type { ManPage } from '../../reports/spec-book/man-page';
import { readEdition } from '../inputs/man-pages';
import { lineOfDrift } from '../lint/check-pages';
import { writeTo } from '../out/write-file';
import { editionOf, otherPages } from './edition';
import { renderJson } from '../common/render-json';
import { retie } from './retie';

/** What the user asks of `verbspec tie`. */
export interface TieOptions {
  /** Man pages, without their section number; none for all. */
  readonly pages: readonly string[];
  /** Folder of man pages; the installed ones otherwise. */
  readonly man?: string;
  /** Folder of the features; those of verbspec otherwise. */
  readonly features?: string;
}

/**
 * Ties the clauses of pages to the sentences of a newer edition of them, and prints what a human must look at.
 *
 * @returns the exit code
 */
export function tie({ pages, man, features = featuresFolder }: TieOptions): number {
  if (!existsSync(features)) throw new UsageError(`there is no folder ${features}`, 'name the folder of the features');
  loadClauses(features);
  const files = new Map(pageFiles('clauses', features).map(({ page, path }) => [page, join(features, dirname(path))]));
  const unknown = pages.find((page) => !files.has(page));
  if (unknown !== undefined) throw unknownPage(unknown, [...files.keys()]);
  const names = pages.length === 0 ? [...files.keys()] : [...new Set(pages)];
  const { version, pages: read } = readEdition(names, man);
  const known = loadTies(features);
  const edition = editionOf(version);
  refuseOlder(edition, names, known);
  for (const page of read) {
    const path = join(files.get(page.name) ?? features, `${page.name}.sentences.json`);
    tiePage(page, version, known.get(page.name) ?? { edition, sentences: [] }, edition, path);
  }
  return 0;
}

function unknownPage(page: string, known: readonly string[]): UsageError {
  const near = nearest(page, known);
  const remedy = near === undefined ? `\`verbspec new-page ${page}\` begins one` : `did you mean ${near}?`;
  return new UsageError(`no clause belongs to a page "${page}"`, remedy);
}

/** Rules follow the newest pages: older ones are for `spec-book --check`. */
function refuseOlder(edition: string, pages: readonly string[], known: Ties): void {
  for (const page of pages) {
    const own = known.get(page)?.edition ?? '0';
    if (Number(own) <= Number(edition)) continue;
    throw new UsageError(`the man pages are of rdma-core ${edition}, and ${page} is tied to ${own}`, otherPages);
  }
}

function tiePage(page: ManPage, version: string, before: PageTies, edition: string, path: string): void {
  const { ties, drifts } = retie(page, version, edition, before);
  const isSame = drifts.length === 0 && edition === before.edition && existsSync(path);
  if (!isSame) writeTo(path, renderJson(ties));
  const from = before.edition === edition ? `rdma-core ${edition}` : `rdma-core ${before.edition} → ${edition}`;
  const change = isSame
    ? 'nothing changes'
    : `${drifts.length} ${drifts.length === 1 ? 'sentence differs' : 'sentences differ'}`;
  const left = toLookAt(ties, drifts.length > 0);
  const lines = [`${page.name}: ${from}, ${change}`, ...drifts.map(lineOfDrift), ...left];
  process.stdout.write(lines.map((line) => `${oneLine(line)}\n`).join(''));
}

/** What a human must look at. */
function toLookAt({ sentences, acknowledged = [] }: PageTies, hasChanged: boolean): string[] {
  if (!hasChanged) return [];
  const gaps = sentences.filter(({ clauses, note }) => clauses === undefined && note === undefined);
  return [
    ...(gaps.length > 0
      ? [`look at: sentences without clauses or a note: ${gaps.map(({ fingerprint }) => fingerprint).join(', ')}`]
      : []),
    ...(acknowledged.length > 0
      ? ['look at: the reasons under "acknowledged"; `verbspec rules --check` lists what is left']
      : []),
  ];
}
