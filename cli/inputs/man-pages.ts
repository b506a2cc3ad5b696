import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { installCommand } from '../../drivers/support/checks';
import { HarnessError, UsageError } from '../../drivers/contract';
import { isRegularFile, namesIn, readTextFile } from '../../drivers/support/files';
import { oneLine } from '../../catalog/plain-text';
import { parseManHtml } from '../../reports/spec-book/man-html';
import type { ManPage } from '../../reports/spec-book/man-page';

/** The man pages of one libibverbs. */
export interface Edition {
  /** Version of rdma-core, `44.0`, or `unknown`. */
  readonly version: string;
  /** Folder that the pages are in. */
  readonly folder: string;
  readonly pages: readonly ManPage[];
}

/** Bytes of HTML that a page may have. */
const htmlMax = 16 * 1024 * 1024;

/** Milliseconds that mandoc may take for a page; it needs some hundredths of a second. */
const renderMaxMs = 60_000;

/** Bytes of a file for pkg-config. */
const pkgConfigMax = 64 * 1024;

/**
 * Reads man pages by way of mandoc.
 *
 * @param names - the pages, without their section number
 * @param named - folder of the user's: of pages, of man sections, or that a package was unpacked into
 * @throws UsageError when that folder lacks a page, HarnessError when this machine does, or has no mandoc
 */
export function readEdition(names: readonly string[], named?: string): Edition {
  const candidates = named === undefined ? systemFolders() : within(named);
  const [first = ''] = names;
  const folder = candidates.find((candidate) => fileOf(first, candidate) !== undefined);
  if (folder === undefined) throw noPage(first, named);
  const pages = names.map((name) => readPage(name, folder, named));
  return { version: versionBeside(folder), folder, pages };
}

function systemFolders(): string[] {
  const listed = (process.env.MANPATH ?? '').split(delimiter).filter((path) => path !== '');
  return [...listed, '/usr/local/share/man', '/usr/share/man'].map((path) => join(path, 'man3'));
}

function within(folder: string): string[] {
  const path = resolve(folder);
  return [path, join(path, 'man3'), join(path, 'usr', 'share', 'man', 'man3'), join(path, 'share', 'man', 'man3')];
}

function fileOf(name: string, folder: string): string | undefined {
  return [`${name}.3.gz`, `${name}.3`].map((file) => join(folder, file)).find(isRegularFile);
}

function noPage(name: string, named: string | undefined): HarnessError {
  if (named !== undefined) {
    const isThere = existsSync(named) && statSync(named).isDirectory();
    const wrong = isThere ? `${named} has no man page ${name}(3)` : `there is no folder ${named}`;
    return new UsageError(wrong, 'name with --man a folder that the package libibverbs-dev was unpacked into');
  }
  const remedy = `${installCommand('libibverbs-dev')}, or name a folder with --man: images of containers leave pages out`;
  return new HarnessError(`this machine has no man page ${name}(3)`, remedy);
}

function readPage(name: string, folder: string, named: string | undefined): ManPage {
  const file = fileOf(name, folder);
  if (file === undefined) throw noPage(name, named);
  const options = { encoding: 'utf8', maxBuffer: htmlMax, timeout: renderMaxMs, killSignal: 'SIGKILL' } as const;
  const { error, status, stdout, stderr } = spawnSync('mandoc', ['-T', 'html', '-O', 'fragment', file], options);
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') {
    throw new HarnessError('mandoc is missing, which renders man pages', installCommand('mandoc'));
  }
  if (error !== undefined || stdout === '') {
    const why = oneLine(error?.message ?? (stderr.trim() || `exit code ${status}`));
    const message = `mandoc cannot render ${file}: ${why}`;
    throw named === undefined ? new HarnessError(message) : new UsageError(message, 'name another folder with --man');
  }
  return parseManHtml(stdout, name);
}

/** The file for pkg-config beside the pages has the version of the package: 1.14.44.0 of rdma-core 44.0. */
function versionBeside(folder: string): string {
  const usr = dirname(dirname(dirname(folder)));
  const libraries = ['lib', 'lib64'].map((name) => join(usr, name)).filter(existsSync);
  const found = libraries
    .flatMap((library) => [library, ...namesIn(library).map((name) => join(library, name))])
    .map((library) => join(library, 'pkgconfig', 'libibverbs.pc'))
    .find(isRegularFile);
  const text = found === undefined ? '' : readTextFile(found, pkgConfigMax);
  return /^Version: \d+\.\d+\.(\S+)$/m.exec(text)?.[1] ?? 'unknown';
}
