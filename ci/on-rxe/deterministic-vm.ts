/**
 * Runs programs on soft-RoCE in a deterministic VM, so often, and demands that each time gives the same, to the byte:
 *
 *     node -r ./ci/typescript.js ci/on-rxe/deterministic-vm.ts [--kernel 6.1] [--seed 7] [--times 10] --program FILE...
 *
 * A FILE has one program, as drivers/programs/program.schema.json says. With --print it prints the records.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { HarnessError, UsageError } from '../../drivers/contract';
import { encodeMessage } from '../../drivers/native/protocol';
import { programOf } from '../../drivers/programs/check-program';
import { runDeterministic } from '../../drivers/soft-roce/deterministic';

async function main(): Promise<number> {
  const { kernel, seed, times, program, print, log } = parseArgs({
    options: {
      kernel: { type: 'string', default: '6.1' },
      seed: { type: 'string', default: '0' },
      times: { type: 'string', default: '1' },
      program: { type: 'string', multiple: true, default: [] },
      print: { type: 'boolean', default: false },
      log: { type: 'string' },
    },
  }).values;
  if (program.length === 0) throw new UsageError('no program', 'name a file with --program');
  const programs = program.map((file) => programOf(readFileSync(file, 'utf8')));
  const progress = (line: string): void => void process.stderr.write(`${line}\n`);
  const found = new Map<string, number>();
  for (let time = 0; time < Number(times); time++) {
    const startedAt = Date.now();
    const run = await runDeterministic({ kernel, seed: Number(seed), programs, progress });
    found.set(run.sha256, (found.get(run.sha256) ?? 0) + 1);
    progress(`${run.sha256.slice(0, 16)} after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    if (print && time === 0) for (const one of run.runs) process.stdout.write(`${encodeMessage(one)}\n`);
    if (log !== undefined) writeFileSync(`${log}.${time}`, run.log);
  }
  process.stdout.write(`kernel ${kernel}, seed ${seed}: ${times} boots, ${found.size} different\n`);
  return found.size === 1 ? 0 : 1;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof HarnessError ? error.message : error);
    process.exitCode = error instanceof UsageError ? 2 : 3;
  },
);
