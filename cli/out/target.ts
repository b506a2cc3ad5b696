import { constants, existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../../drivers/contract';
import { mayAccess } from '../../drivers/support/files';
import { holdingOf, type Holding } from './holding';
import type { ResultsKind } from './mark';

/** What the user can do where results cannot go. */
export const remedy = 'name another folder with --out';

/** Why results lie beside the place where they were to go. */
export type Beside = 'interrupted' | 'incomplete' | 'new';

const temporaryInside = '.new.';

/** What lies in a volume beside the results; the file system's own folder among it. */
const besideInside = /^(\.new\..+|(interrupted|incomplete|new)(-\d+)?|lost\+found)$/;

/** The place where results of a kind go. */
export class Target {
  /** The folder, without links. */
  readonly final: string;
  /**
   * Whether the folder itself can be neither moved nor replaced, as a container's volume and a folder in one that is
   * read-only. All that goes beside the results then goes into it.
   */
  readonly isVolume: boolean;

  /**
   * @param isFixed - whether a folder that is there cannot be moved
   * @throws UsageError where the path names no folder
   */
  constructor(
    folder: string,
    readonly kind: ResultsKind,
    isFixed: (folder: string) => boolean = cannotBeMoved,
  ) {
    this.final = realFolder(folder);
    this.isVolume = existsSync(this.final) && isFixed(this.final);
  }

  /** The folder in which results are prepared. */
  get parent(): string {
    return this.isVolume ? this.final : dirname(this.final);
  }

  /** What the name of a folder begins with in which results are prepared. */
  get temporaryPrefix(): string {
    return this.isVolume ? temporaryInside : `.${basename(this.final)}.`;
  }

  holding(): Holding {
    return holdingOf(this.final, this.kind, this.isBeside);
  }

  /** Whether a name in the folder does not belong to the results there. */
  readonly isBeside = (name: string): boolean => this.isVolume && besideInside.test(name);

  /** The first place for results of that sort at which nothing lies, or what such results may replace. */
  beside(why: Beside): string {
    const path = this.isVolume ? join(this.final, why) : `${this.final}.${why}`;
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? path : `${path}-${number}`;
      const { state } = holdingOf(candidate, this.kind);
      if (state === 'nothing' || (state !== 'foreign' && why !== 'new')) return candidate;
    }
  }
}

/**
 * The folder that a path names, without links; it need not be there.
 *
 * @throws UsageError where something else is there
 */
export function realFolder(folder: string): string {
  const path = resolve(folder);
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return path;
    readdirSync(path);
    return realpathSync(path);
  } catch (error) {
    const leadsThroughFile = (error as NodeJS.ErrnoException).code === 'ENOTDIR' && !existsSync(path);
    if (leadsThroughFile) return path; // who makes it hears of that
    throw new UsageError(`${path} ${reason(error as NodeJS.ErrnoException)}`, remedy);
  }
}

function reason({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOTDIR') return 'is not a folder';
  if (code === 'ELOOP') return 'leads through links in a circle';
  if (code === 'ENOENT') return 'is a link to nothing';
  return `cannot be read: ${message}`;
}

function cannotBeMoved(folder: string): boolean {
  const isMounted = statSync(folder).dev !== statSync(dirname(folder)).dev || mountPoints().includes(folder);
  return isMounted || !mayAccess(dirname(folder), constants.W_OK);
}

/** Those of this process; a folder that is mounted from the same device shows here alone. */
function mountPoints(): string[] {
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return lines.map((line) =>
      (line.split(' ')[4] ?? '').replace(/\\([0-7]{3})/g, (_, octal: string) =>
        String.fromCharCode(parseInt(octal, 8)),
      ),
    );
  } catch {
    return [];
  }
}
