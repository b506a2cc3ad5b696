/**
 * What the simulator costs: the CPU of a run of all features, as a multiple of the same features with empty steps.
 * Both run in turn, each in a process of its own: `npm run bench:simulator [ROUNDS]`.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { median } from './statistics';

const program = join(__dirname, 'simulator-run.ts');
const roundsUsually = 7;

interface Sample {
  readonly scenarios: number;
  readonly cpuMs: number;
}

function sample(kind: 'real' | 'empty'): Sample {
  const args = ['--require', join(__dirname, '..', 'ci', 'typescript.js'), program, kind];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Sample;
}

const rounds = Number(process.argv[2] ?? roundsUsually);
const samples = Array.from({ length: rounds }, () => ({ real: sample('real'), empty: sample('empty') }));
const real = median(samples.map((pair) => pair.real.cpuMs));
const empty = median(samples.map((pair) => pair.empty.cpuMs));
const ratio = median(samples.map((pair) => pair.real.cpuMs / pair.empty.cpuMs));
process.stdout.write(
  `${samples[0]?.real.scenarios ?? 0} scenarios, median of ${rounds} rounds: ` +
    `simulator ${real.toFixed(0)} ms of CPU, empty steps ${empty.toFixed(0)} ms, ratio ${ratio.toFixed(2)}\n`,
);
