import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { oneLine } from '../../catalog/plain-text';
import { entriesIn } from './entries';
import { markName, readMark, type ResultsKind, type Mark, type State } from './mark';

/** What a folder holds where results shall go: nothing, earlier results of the same kind, or what must not be touched. */
export type Holding =
  { readonly state: 'nothing' | State } | { readonly state: 'foreign'; /** In words. */ readonly why: string };

/** What every folder of a kind has; without it results do not take the place of any. */
export const mainFiles: Readonly<Record<ResultsKind, string>> = {
  run: 'verdicts.json',
  repeat: '1',
  report: 'report.json',
  'spec-book': 'search-data.js',
  soak: 'soak.json',
  explore: 'explore.json',
};

/** What one kind wrote, another may replace. */
const families: readonly (readonly ResultsKind[])[] = [['run', 'repeat']];

/** Where the HTML is, by verbspec or by the command that it names where there is no Java. */
export const reportName = 'allure-report';
const reportEntries = [`${reportName}/`, `${reportName}/index.html`];

/** Where `verbspec run --repeat` keeps the runs that it replaces until it has others. */
export const earlierName = 'earlier';

/** What a killed run has left beside its place, one of a repeated run. */
const isTemporary = (name: string): boolean => /^\.\d+\..+-\d+-[A-Za-z0-9]{6}(-old)?$/.test(name);

/**
 * Says what a folder holds. Only what the mark in it lists is known as written by verbspec.
 *
 * @param kind - what wants to take its place
 * @param isIgnored - whether a name in it does not count
 */
export function holdingOf(
  folder: string,
  kind: ResultsKind,
  isIgnored: (name: string) => boolean = () => false,
): Holding {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return { state: 'nothing' };
  if (!stat.isDirectory()) return foreign('is not a folder');
  try {
    const names = readdirSync(folder).filter((name) => !isIgnored(name));
    if (names.length === 0) return { state: 'nothing' };
    if (!names.includes(markName)) return foreign(unmarked(names));
    return holdingByMark(folder, kind, isIgnored);
  } catch (error) {
    return foreign(`cannot be read: ${oneLine((error as Error).message)}`);
  }
}

function holdingByMark(folder: string, kind: ResultsKind, isIgnored: (name: string) => boolean): Holding {
  let mark: Mark;
  try {
    mark = readMark(folder);
  } catch (error) {
    return foreign(`holds ${markName}, which is not a mark of verbspec: ${oneLine((error as Error).message)}`);
  }
  if (!areOfOneFamily(mark.kind, kind)) {
    return foreign(`is not empty and holds no earlier results of this command, but those of ${nameOf(mark.kind)}`);
  }
  const name = mark.kind === 'repeat' ? foreignPart(folder, mark, isIgnored) : foreignEntry(folder, mark, isIgnored);
  return name === undefined ? { state: mark.state } : foreign(`holds ${oneLine(name)}, which verbspec did not write`);
}

/** The first entry that the mark does not list. */
function foreignEntry(folder: string, mark: Mark, isIgnored: (name: string) => boolean): string | undefined {
  const known = new Set([...mark.entries, ...reportEntries, markName]);
  let ignored = '';
  for (const { path, isPlain } of entriesIn(folder)) {
    if (ignored !== '' && path.startsWith(ignored)) continue;
    ignored = isIgnored(path.replace(/\/$/, '')) ? path : '';
    if (ignored === '' && !(isPlain && known.has(path))) return path;
  }
  return undefined;
}

/** The same of a repeated run, whose parts have marks of their own. */
function foreignPart(folder: string, mark: Mark, isIgnored: (name: string) => boolean): string | undefined {
  const names = readdirSync(folder).filter((name) => name !== markName && !isTemporary(name) && !isIgnored(name));
  return names.find((name) => foreignRun(folder, name, mark));
}

/** Whether an entry is not one of the runs that the mark of a repeated run lists, or holds other than a run. */
export function foreignRun(folder: string, name: string, mark: Mark | undefined): boolean {
  const isListed = mark?.kind === 'repeat' && mark.entries.includes(`${name}/`);
  return !isListed || holdingOf(join(folder, name), 'run').state === 'foreign';
}

function unmarked(names: readonly string[]): string {
  const isResult = (name: string): boolean => [...Object.values(mainFiles), 'messages.ndjson'].includes(name);
  if (!names.some(isResult)) return 'is not empty and holds no earlier results';
  return `holds results without ${markName}, the list of what verbspec wrote, as those of earlier versions and some copies`;
}

function areOfOneFamily(one: ResultsKind, other: ResultsKind): boolean {
  return one === other || families.some((family) => family.includes(one) && family.includes(other));
}

function nameOf(kind: ResultsKind): string {
  return kind === 'soak' ? 'a soak' : `\`verbspec ${kind === 'repeat' ? 'run --repeat' : kind}\``;
}

function foreign(why: string): Holding {
  return { state: 'foreign', why };
}
