import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Scratch } from './scratch';

/** What lies in the folders of a try: what distinguishes a file from another, by path. */
export type Snapshot = ReadonlyMap<string, string>;

/** Bytes up to which the content of a file is compared; a larger one is another if its time is. */
const comparedBytesMax = 4 * 1024 * 1024;

/** Changes that are listed one by one. */
const changesToldMax = 8;

/** Folders of what can be made again; swc looks whose its own is before it uses it. */
const caches = /^~\/\.cache$|^(~\/\.cache|\$TMPDIR)\/(swc-native-\d+|verbspec)(\/|$)/;

/** Looks at the working folder, the home (`~`) and the temporary folder (`$TMPDIR`) of a try. */
export function snapshotOf({ here, home, temporary }: Scratch): Snapshot {
  const seen = new Map<string, string>();
  look(here, '', seen);
  look(home, '~', seen);
  look(temporary, '$TMPDIR', seen);
  return seen;
}

function look(folder: string, name: string, seen: Map<string, string>): void {
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry);
    const told = join(name, entry);
    const stat = lstatSync(path);
    seen.set(told, fingerprint(path, stat));
    if (stat.isDirectory()) look(path, told, seen);
  }
}

/** The time of a folder changes with what is made and removed in it, which is looked at itself. */
function fingerprint(path: string, stat: Stats): string {
  const { mode, uid, mtimeMs, size } = stat;
  if (stat.isDirectory()) return `folder ${mode} ${uid}`;
  if (stat.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (!stat.isFile()) return `special ${mode}`;
  const content = size > comparedBytesMax ? '' : createHash('sha256').update(readFileSync(path)).digest('hex');
  return `file ${mode} ${uid} ${mtimeMs} ${size} ${content}`;
}

/**
 * What is new, gone or other.
 *
 * @param allowed - paths that may be, with all below them; `out.*` stands for all names that begin with `out.`
 */
export function changesBetween(before: Snapshot, after: Snapshot, allowed: readonly string[]): string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  const changes = paths.flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    if (old === now || caches.test(path) || allowed.some((one) => isWithin(path, one))) return [];
    const isInNewFolder = after.has(dirname(path)) && !before.has(dirname(path));
    if (old === undefined) return isInNewFolder ? [] : [`${path} was left behind`];
    return [now === undefined ? `${path} is gone` : `${path} is not as it was`];
  });
  const more = changes.length - changesToldMax;
  return more > 0 ? [...changes.slice(0, changesToldMax), `and ${more} more`] : changes;
}

function isWithin(path: string, allowed: string): boolean {
  if (allowed.endsWith('*')) return path.startsWith(allowed.slice(0, -1));
  return path === allowed || path.startsWith(`${allowed}/`);
}
