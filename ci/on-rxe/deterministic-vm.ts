/**
 * Runs programs on soft-RoCE in deterministic VMs. It demands that those of the same kernel and seed tell the same, to the
 * byte, or shows how much differs from seed to seed:
 *
 *     node -r ./ci/typescript.js ci/on-rxe/deterministic-vm.ts [--kernel 6.1]... [--seed 7]... [--times 10]
 *     node -r ./ci/typescript.js ci/on-rxe/deterministic-vm.ts [--kernel 6.1] --vary 100
 *
 * The programs are some of its own, unless there are files with --program FILE. With --print it prints the records.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { HarnessError, UsageError } from '../../drivers/contract';
import { encodeMessage } from '../../drivers/native/protocol';
import { programOf } from '../../drivers/programs/check-program';
import type { Program } from '../../drivers/programs/program';
import { runDeterministic, type DeterministicRun } from '../../drivers/soft-roce/deterministic';
import { blockedPrograms, racingPrograms, steadyPrograms } from './programs/rc-programs';
import { differentBoots, exitCodeOf } from './programs/same-boots';
import { comparable } from './programs/same-records';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const { kernel, seed, times, vary, program, print } = parseArgs({
    options: {
      kernel: { type: 'string', multiple: true, default: ['6.1'] },
      seed: { type: 'string', multiple: true, default: ['0'] },
      times: { type: 'string', default: '1' },
      vary: { type: 'string' },
      program: { type: 'string', multiple: true, default: [] },
      print: { type: 'boolean', default: false },
    },
  }).values;
  const own = [...steadyPrograms, ...blockedPrograms, ...racingPrograms];
  const programs = program.length === 0 ? own : program.map((file) => programOf(readFileSync(file, 'utf8')));
  const boot = async (release: string, one: number): Promise<DeterministicRun> => {
    const startedAt = Date.now();
    const run = await runDeterministic({ kernel: release, seed: one, programs, progress: say });
    say(
      `kernel ${release}, seed ${one}: ${run.sha256.slice(0, 16)} after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`,
    );
    if (print) for (const { records } of run.runs) process.stdout.write(`${encodeMessage(records)}\n`);
    return run;
  };
  if (vary !== undefined) return showVariety(programs, Number(vary), (one) => boot(kernel[0] ?? '6.1', one));
  const different: number[] = [];
  for (const release of kernel) {
    for (const one of seed.map(Number)) {
      const told = await differentBoots(Number(times), async () => (await boot(release, one)).sha256);
      process.stdout.write(`kernel ${release}, seed ${one}: ${times} boots, ${told} different\n`);
      different.push(told);
    }
  }
  return exitCodeOf(different);
}

/** Tells how many different records each program has under as many seeds, and one seed for each. */
async function showVariety(
  programs: readonly Program[],
  count: number,
  boot: (seed: number) => Promise<DeterministicRun>,
): Promise<number> {
  const seeds = programs.map(() => new Map<string, number[]>());
  for (let seed = 0; seed < count; seed++) {
    const { runs } = await boot(seed);
    for (const [index, { records }] of runs.entries()) {
      const outcome = createHash('sha256')
        .update(JSON.stringify(comparable(records)))
        .digest('hex');
      const known = seeds[index];
      known?.set(outcome, [...(known.get(outcome) ?? []), seed]);
    }
  }
  for (const [index, { seed }] of programs.entries()) {
    const outcomes = [...(seeds[index]?.values() ?? [])];
    const told = outcomes.map((some) => `${some.length} as seed ${some[0]}`).join(', ');
    process.stdout.write(`${seed}: ${outcomes.length} different outcomes of ${count} seeds: ${told}\n`);
  }
  return 0;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof HarnessError ? error.message : error);
    process.exitCode = error instanceof UsageError ? 2 : 3;
  },
);
