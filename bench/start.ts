/**
 * What compiling at set-up saves: the CPU of `verbspec --version`, and the same in a copy of the project in which nothing
 * is compiled, so that ts-node compiles each file as it is loaded. Both in turn: `npm run bench:start [ROUNDS]`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyProject } from './copied-project';
import { median } from './statistics';

const root = join(__dirname, '..');
const probe = join(__dirname, 'cpu-of-process.js');
const roundsUsually = 7;

/** @returns milliseconds of CPU */
function cpuOfStart(project: string, folder: string): number {
  const file = join(folder, 'cpu');
  const env = { ...process.env, VERBSPEC_BENCH_CPU: file };
  execFileSync(process.execPath, ['--require', probe, join(project, 'cli', 'verbspec.js'), '--version'], { env });
  return Number(readFileSync(file, 'utf8'));
}

function copyOfProject(folder: string): string {
  const copy = join(folder, 'copy');
  copyProject(copy);
  return copy;
}

const rounds = Number(process.argv[2] ?? roundsUsually);
const folder = mkdtempSync(join(tmpdir(), 'verbspec-bench-start-'));
try {
  const copy = copyOfProject(folder);
  const samples = Array.from({ length: rounds }, () => ({
    compiled: cpuOfStart(root, folder),
    asLoaded: cpuOfStart(copy, folder),
  }));
  const compiled = median(samples.map((sample) => sample.compiled));
  const asLoaded = median(samples.map((sample) => sample.asLoaded));
  const ratio = median(samples.map((sample) => sample.compiled / sample.asLoaded));
  process.stdout.write(
    `verbspec --version, median of ${rounds} rounds: compiled at set-up ${compiled.toFixed(0)} ms of CPU, ` +
      `compiled as loaded ${asLoaded.toFixed(0)} ms, ratio ${ratio.toFixed(2)}\n`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
