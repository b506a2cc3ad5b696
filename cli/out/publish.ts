import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { holdingOf, mainFiles, reportName } from './holding';
import { markName, markOf, type Mark, type State } from './mark';
import type { Target } from './target';

const permissions = 0o7777;

/** Where results have come to lie. */
export interface Published {
  readonly path: string;
  /** Why they lie beside the place where they were to go, if that is because of what is there. */
  readonly refusal?: string;
}

/** What of earlier results is put aside while others take their place. */
export function asideOf(partial: string): string {
  return `${partial}-old`;
}

/**
 * Puts finished results, which have their mark, in their place. Results that are not whole go beside whole ones; those
 * that would take the place of anything that verbspec did not write go beside it.
 */
export function publish(partial: string, state: State, target: Target): Published {
  const holding = target.holding();
  if (holding.state === 'foreign') return { path: moveBeside(partial, target, 'new'), refusal: holding.why };
  const isPoorer = state !== 'whole' && (holding.state === 'whole' || !hasMainFile(partial, target));
  if (isPoorer) return { path: moveBeside(partial, target, state) };
  if (target.isVolume) refill(partial, target);
  else replace(partial, target.final, target);
  return { path: target.final };
}

/** Moves results beside their place, where they replace none but their like. */
export function moveBeside(partial: string, target: Target, why: Exclude<State, 'whole'> | 'new'): string {
  const path = target.beside(why);
  replace(partial, path, target);
  return path;
}

/**
 * Decides on a folder that a run has left which was killed: results that were finished are published, those that were put
 * aside and never replaced are put back, all else goes.
 */
export function discardLeftover(path: string, target: Target): void {
  try {
    const stat = lstatSync(path);
    if (!stat.isDirectory() || stat.uid !== process.getuid?.()) return;
    if (path.endsWith(asideOf(''))) discardAside(path, target);
    else discardPartial(path, target);
  } catch {
    return; // it stays for the next run
  }
}

function discardPartial(path: string, target: Target): void {
  const mark = markOf(path);
  if (mark === undefined) rmSync(path, { recursive: true });
  else if (isHalfMoved(mark, target)) refill(path, target);
  else publish(path, mark.state, target);
}

/** Whether a volume holds nothing but a part of these results; their mark is what is moved last. */
function isHalfMoved(mark: Mark, { isVolume, final, isBeside }: Target): boolean {
  if (!isVolume || existsSync(join(final, markName))) return false;
  const moved = namesOf(mark);
  return readdirSync(final).every((name) => isBeside(name) || moved.includes(name));
}

function discardAside(path: string, target: Target): void {
  if (existsSync(path.slice(0, -asideOf('').length))) return;
  const isOnlyCopy = !target.isVolume && !existsSync(target.final) && markOf(path) !== undefined;
  if (isOnlyCopy) renameSync(path, target.final);
  else removeOwn(path, target);
}

/** A folder takes the place of another at once, with its permissions. */
function replace(partial: string, final: string, target: Target): void {
  const aside = asideOf(partial);
  for (;;) {
    const there = statSync(final, { throwIfNoEntry: false });
    if (there !== undefined) chmodSync(partial, there.mode & permissions);
    if (tryRename(partial, final, ['ENOTEMPTY', 'EEXIST'])) break;
    removeOwn(aside, target); // of a round in which another run was faster
    if (!tryRename(final, aside, ['ENOENT']) || holdingOf(aside, target.kind).state !== 'foreign') continue;
    renameSync(aside, final);
    throw new Error('something was put there just now');
  }
  removeOwn(aside, target);
}

/**
 * A volume cannot be moved or replaced, only what lies in it. Until all of the earlier results are aside, their mark stays
 * in the volume; until all of the new ones are there, their mark stays with the rest. So the next run can see how far a
 * killed one has come, and goes on from there.
 */
function refill(partial: string, target: Target): void {
  const aside = asideOf(partial);
  const earlier = markOf(target.final);
  if (earlier !== undefined) moveMarked(target.final, earlier, aside);
  moveMarked(partial, markOf(partial), target.final);
  rmSync(partial, { recursive: true });
  removeOwn(aside, target);
}

/** Moves what a mark lists into another folder, which may be within the first, the mark last. */
export function moveMarked(from: string, mark: Mark | undefined, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of mark === undefined ? [] : [...namesOf(mark), markName]) {
    if (join(from, name) === to) continue;
    tryRename(join(from, name), join(to, name), ['ENOENT']);
  }
}

/** The names in a folder to which the entries of its mark belong, and that of the page that the user may have made. */
export function namesOf({ entries }: Mark): string[] {
  return [...new Set([...entries.map((entry) => entry.split('/', 1)[0] ?? ''), reportName])];
}

/** Removes a folder if there is nothing in it but what verbspec wrote. What cannot be removed stays for the next run. */
export function removeOwn(path: string, { kind }: Pick<Target, 'kind'>): void {
  if (holdingOf(path, kind).state === 'foreign') return;
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    return;
  }
}

function hasMainFile(partial: string, { kind }: Target): boolean {
  return existsSync(join(partial, mainFiles[kind]));
}

/**
 * @param expected - codes of errors that come when other runs do the same at the same time
 * @returns whether there was none of them
 */
export function tryRename(from: string, to: string, expected: readonly string[]): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (expected.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
