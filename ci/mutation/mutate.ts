/**
 * Mutates the simulator and lets the features find it out; what they miss is listed.
 *
 *     npm run mutate [-- OPTIONS OF STRYKER]     such as --mutate drivers/sim/cq.ts, or --incremental
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readArgued } from './argued-list';
import { readReport } from './report';
import { judge } from './score';

const root = join(__dirname, '..', '..');

function main(): number {
  const stryker = join(root, 'node_modules', '.bin', 'stryker');
  const args = ['run', 'ci/mutation/stryker.config.json', ...process.argv.slice(2)];
  const { status } = spawnSync(stryker, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) return 3;
  const report = join(root, 'reports', 'out', 'mutation', 'mutation.json');
  const { text, passed } = judge(readReport(report), readArgued(join(__dirname, 'argued.json')));
  process.stdout.write(`${text}\n`);
  return passed ? 0 : 1;
}

process.exitCode = main();
