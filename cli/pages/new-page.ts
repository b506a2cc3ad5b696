import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { HarnessError, UsageError } from '../../drivers/contract';
import { featuresFolder } from '../../catalog/page-data';
import { oneLine } from '../../catalog/plain-text';
import { readEdition } from '../inputs/man-pages';
import { writeTo } from '../out/write-file';
import { editionOf } from './edition';
import { draftPage, type PageDraft } from './page-draft';
import { renderJson } from '../common/render-json';
import { draftVerbs } from './verb-draft';

/** What the user asks of `verbspec new-page`. */
export interface NewPageOptions {
  /** Man page, without its section number. */
  readonly page: string;
  /** Folder of the features that its files go into. */
  readonly family?: string;
  /** Folder of man pages; the installed ones otherwise. */
  readonly man?: string;
  /** Folder of the features; those of verbspec otherwise. */
  readonly features?: string;
}

/**
 * Drafts what verbspec has of a man page: clauses, sentences, the feature, and the descriptions of its verbs.
 *
 * @returns the exit code
 */
export function newPage({ page, family, man, features = featuresFolder }: NewPageOptions): number {
  if (!/^[a-z][a-z0-9_]*$/.test(page)) {
    throw new UsageError(`"${page}" is not the name of a man page`, 'name one of section 3, such as ibv_alloc_pd');
  }
  refuseNoFolder(features);
  refuseKnown(page, features);
  const folder = join(features, family === undefined ? familyOf(page, features) : checked(family));
  const { version, pages } = readEdition([page], man);
  const [read] = pages;
  if (read === undefined) throw new HarnessError(`the man page ${page}(3) was not read`);
  const draft = draftPage(read, editionOf(version));
  const paths = write(draft, page, folder);
  process.stdout.write(`${reportOf(draft, paths, version, draftVerbs(read)).map(oneLineKeepingIndent).join('\n')}\n`);
  return 0;
}

function refuseNoFolder(features: string): void {
  if (statSync(features, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new UsageError(`there is no folder ${features}`, 'name a folder for features with --features');
}

/** What somebody has worked on is never written over. */
function refuseKnown(page: string, features: string): void {
  const own = ['feature', 'clauses.json', 'sentences.json'].map((ending) => `${page}.${ending}`);
  const known = readdirSync(features, { recursive: true, encoding: 'utf8' }).find((path) =>
    own.includes(basename(path)),
  );
  if (known === undefined) return;
  throw new UsageError(`${page} has ${known} already`, `\`verbspec tie ${page}\` ties it to a newer man page`);
}

/** The last word of the page that is the name of a family: ibv_modify_cq is of cq. */
function familyOf(page: string, features: string): string {
  const families = readdirSync(features, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  const found = page.split('_').findLast((word) => families.includes(word));
  if (found !== undefined) return found;
  const there = families.length === 0 ? 'there is none yet' : `there are ${families.sort().join(', ')}`;
  throw new UsageError(
    `it is not known which family ${page} belongs to; ${there}`,
    'name it with --family; it may be new',
  );
}

function checked(family: string): string {
  if (/^[a-z][a-z0-9-]{0,30}$/.test(family)) return family;
  throw new UsageError(`--family "${family}" is not the name of a family`, 'use lower-case letters, such as pd');
}

/** @returns the paths that were written */
function write({ clauses, ties, feature }: PageDraft, page: string, folder: string): string[] {
  makeFolder(folder);
  const files = [
    [`${page}.clauses.json`, renderJson(clauses)],
    [`${page}.sentences.json`, renderJson(ties)],
    [`${page}.feature`, feature],
  ] as const;
  return files.map(([name, text]) => {
    const path = join(folder, name);
    if (existsSync(path)) throw new UsageError(`${path} exists already`, 'remove it, or edit it');
    writeTo(path, text);
    return path;
  });
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new HarnessError(`cannot make ${folder}: ${(error as Error).message}`, 'name another folder with --features');
  }
}

function reportOf({ clauses, ties }: PageDraft, paths: readonly string[], version: string, verbs: string): string[] {
  const silent = ties.sentences.filter(({ note }) => note !== undefined).length;
  return [
    `rdma-core ${version}: ${ties.sentences.length} sentences, ${clauses.length} drafted as clauses, ${silent} without anything to check`,
    ...paths.map((path) => `written  ${relative(process.cwd(), path)}`),
    '',
    'Next:',
    '  name each clause and state it: by a Rule in the feature, or by "statement" and, as the reason why not, "untested";',
    '  its authority is the page; name another where the page has no more than the word;',
    '  `verbspec rules --check` lists what is left',
    ...(verbs === '' ? [] : ['', 'Descriptions of its verbs, for drivers/verbs:', '', ...verbs.trimEnd().split('\n')]),
  ];
}

/** A man page may be anybody's. */
function oneLineKeepingIndent(line: string): string {
  const [indent = ''] = /^ */.exec(line) ?? [];
  return indent + oneLine(line);
}
