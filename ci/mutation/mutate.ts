/**
 * Mutates the simulator and lets the features find it out; what they miss is listed.
 *
 *     npm run mutate [-- OPTIONS OF STRYKER]     such as --mutate drivers/sim/cq/cq.ts, or --incremental
 */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../../drivers/contract';
import { readArgued } from './argued-list';
import { readReport, type MutatedFile } from './report';
import { judge, openSurvivors } from './score';

const root = join(__dirname, '..', '..');
const out = join(root, 'reports', 'out', 'mutation');

/** @returns `undefined` if Stryker could not mutate anything; it has printed why */
function mutate(options: readonly string[]): MutatedFile[] | undefined {
  const report = join(out, 'mutation.json');
  rmSync(report, { force: true });
  const stryker = join(root, 'node_modules', '.bin', 'stryker');
  const args = ['run', 'ci/mutation/stryker.config.json', ...options];
  const { status } = spawnSync(stryker, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  return status === 0 && existsSync(report) ? readReport(report) : undefined;
}

function main(): number {
  const argued = readArgued(join(__dirname, 'argued.json'));
  const files = mutate(process.argv.slice(2));
  if (files === undefined) return 3;
  const { text, passed } = judge(files, argued);
  const open = openSurvivors(files, argued).map(({ file, line, code, replacement }) => {
    return { file, line, code, replacement, why: '', reason: '' };
  });
  writeFileSync(join(out, 'open.json'), `${JSON.stringify(open, undefined, 2)}\n`);
  process.stdout.write(`${text}\n`);
  return passed ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (error) {
  console.error(error instanceof HarnessError ? error.message : error);
  process.exitCode = 3;
}
