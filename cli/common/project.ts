import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The project's folder. */
export const root = join(__dirname, '..', '..');

/** Where `verbspec prove` leaves its proof. */
export const proofFolder = join(root, 'reports', 'out', 'prove');

/** The version of the suite as package.json names it. */
export function suiteVersion(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return version;
}

/** The commit of the suite, `-dirty` if files were changed, `unknown` outside of a git checkout. */
export function suiteCommit(): string {
  try {
    const describe = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
    return execFileSync('git', describe, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}
