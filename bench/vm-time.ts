/**
 * What virtual time saves on soft-RoCE: the whole suite in a VM on virtual time and in one on the clock of this machine,
 * in turn: `npm run bench:vm-time [-- KERNEL [ROUNDS]]`. Without the HTML report, which is the same for both.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Table from 'cli-table3';
import { HarnessError, UsageError, type VmTime } from '../drivers/contract';
import { parseVerdicts } from '../reports/judge/verdicts';
import { median } from './statistics';

const root = join(__dirname, '..');
const outFolder = join(root, 'reports', 'out', 'bench-vm-time');
const kernelUsually = '6.1';
const roundsUsually = 3;

/** Ticks of the kernel's count of CPU time, on all machines that run the VM. */
const ticksPerSecond = 100;

/** Seconds that a run took. */
interface Cost {
  /** From the command to its end. */
  readonly command: number;
  /** From the first scenario to the last. */
  readonly scenarios: number;
  /** Of the processors, QEMU's among them. */
  readonly cpu: number;
}

const columns = ['command', 'scenarios', 'cpu'] as const satisfies readonly (keyof Cost)[];

function main([kernel = kernelUsually, roundsText = `${roundsUsually}`]: readonly string[]): void {
  if (!/^[1-9]\d*$/.test(roundsText)) throw new UsageError(`${roundsText} rounds`, 'name an integer of 1 or more');
  const table = new Table({ head: ['round', 'clock', ...columns], style: { head: [], border: [] } });
  const ratios: Cost[] = [];
  for (let round = 1; round <= Number(roundsText); round++) {
    const virtual = costOf(kernel, 'virtual');
    const wall = costOf(kernel, 'wall');
    const ratio = costsOf((column) => virtual[column] / wall[column]);
    ratios.push(ratio);
    table.push(
      [round, 'virtual', ...cells(virtual, 1)],
      ['', 'wall', ...cells(wall, 1)],
      ['', 'ratio', ...cells(ratio, 2)],
    );
  }
  const medians = costsOf((column) => median(ratios.map((ratio) => ratio[column])));
  table.push(['median', 'ratio', ...cells(medians, 2)]);
  process.stdout.write(`${table.toString()}\n`);
}

function costOf(kernel: string, clock: VmTime): Cost {
  process.stderr.write(`kernel ${kernel}, ${clock}\n`);
  const options = ['run', '--driver', 'soft-roce', '--kernel', kernel, '--vm-time', clock, '--out', outFolder];
  const [startMs, cpuBefore] = [performance.now(), cpuOfChildren()];
  const { status } = spawnSync(process.execPath, [join(root, 'cli', 'verbspec.js'), ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, JAVA_HOME: '/nonexistent' },
  });
  const command = (performance.now() - startMs) / 1000;
  // That rules are violated is no matter here, nor that there is no HTML.
  if (status === null) throw new HarnessError('verbspec run was killed');
  const { durationMs } = parseVerdicts(readFileSync(join(outFolder, 'verdicts.json'), 'utf8'));
  return { command, scenarios: durationMs / 1000, cpu: cpuOfChildren() - cpuBefore };
}

/** Seconds of the processors that children have used which are gone, with their own children. */
function cpuOfChildren(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const [user, system] = [fields[13], fields[14]];
  return (Number(user) + Number(system)) / ticksPerSecond;
}

function costsOf(of: (column: keyof Cost) => number): Cost {
  return { command: of('command'), scenarios: of('scenarios'), cpu: of('cpu') };
}

function cells(cost: Cost, digits: number): string[] {
  return columns.map((column) => cost[column].toFixed(digits));
}

try {
  main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof HarnessError)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof UsageError ? 2 : 3;
}
