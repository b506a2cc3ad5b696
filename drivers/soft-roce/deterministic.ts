import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { HarnessError } from '../contract';
import { paramsOfWhole, wholeRunsOf } from '../native/client/whole-answers';
import { addonPath } from '../native/host/addon';
import { decodeMessage, encodeMessage } from '../native/protocol';
import type { DutMembers } from '../programs/bindings';
import type { Program } from '../programs/program';
import type { WholeRun } from '../programs/whole';
import { boot } from '../vm/deterministic/boot';
import { buildImage, modulesOf } from '../vm/deterministic/image';
import { scheduleOf } from '../vm/deterministic/schedule';
import { resolveKernel, type OnProgress } from '../vm/kernels/kernel';
import { rxe } from '../vm/kernels/rdma-links';

/** What is to be run, and on what: the same of these gives the same, to the byte, on any machine with the same programs. */
export interface DeterministicOptions {
  /** As `--kernel` has it. */
  readonly kernel: string;
  readonly programs: readonly Pick<Program, 'ops'>[];
  /** Chooses how the kernel schedules; see `scheduleOf`. */
  readonly seed: number;
  /** Milliseconds on the clock of the VM that a program has. */
  readonly deadlineMs?: number;
  /** Milliseconds on that clock that a settle takes. */
  readonly quietMs?: number;
  /** Milliseconds on the clock of this machine that all of it may take. */
  readonly wallMs?: number;
  readonly progress: OnProgress;
}

/** What came of it. */
export interface DeterministicRun {
  readonly runs: readonly WholeRun[];
  /** What the kernel has written. */
  readonly log: string;
  /** SHA-256 of all that the VM told, log and answers. */
  readonly sha256: string;
}

/** Times on the clock of the VM cost nothing unless it works meanwhile. */
const defaults = { deadlineMs: 20_000, quietMs: 200, wallMs: 900_000 };

/** Programs of one request, whose answer is one line. */
const programsALine = 64;

/** The soft-RoCE device of such a VM, as guest.sh makes it: the address 192.0.2.1 on an interface with an MTU of 1500. */
const dut: DutMembers = {
  name: rxe.device,
  portNum: 1,
  gidIndex: rxe.gidIndex,
  pkeyIndex: 0,
  gid: '0000:0000:0000:0000:0000:ffff:c000:0201',
  lid: 0,
  mtu: 'IBV_MTU_1024',
};

/**
 * Runs programs on soft-RoCE in a VM that is a function of its image and its command line: nothing comes in from outside,
 * its clock is that of its instructions, and the seed varies who runs when.
 *
 * @throws UsageError for an unknown kernel, DutPanicked if it panics, HarnessError if the VM or the runner fails
 */
export async function runDeterministic(options: DeterministicOptions): Promise<DeterministicRun> {
  const { programs, seed, progress, deadlineMs, quietMs, wallMs } = { ...defaults, ...options };
  const kernel = await resolveKernel(
    options.kernel,
    progress,
    modulesOf(rxe).map(({ name }) => name),
  );
  const schedule = scheduleOf(seed);
  const lines: string[] = [];
  for (let at = 0; at < programs.length; at += programsALine) {
    const some = programs.slice(at, at + programsALine);
    lines.push(encodeMessage(paramsOfWhole({ programs: some, deadlineMs }, dut, quietMs)));
  }
  const task = { programs: lines.map((line) => `${line}\n`).join(''), noises: schedule.noises, ...nativePrograms() };
  const image = buildImage(kernel, rxe, task);
  const { log, answers } = await boot({ kernel, image, schedule, deadlineMs: wallMs });
  const sha256 = createHash('sha256').update(log).update(answers).digest('hex');
  return { runs: runsIn(answers, programs.length), log, sha256 };
}

/** The programs of the guest lie beside the addon. */
function nativePrograms(): { readonly runner: string; readonly noise: string } {
  const addon = addonPath();
  if (addon === undefined) throw new HarnessError('the runner is missing', '`npm run setup` builds it');
  return { runner: join(dirname(addon), 'runner'), noise: join(dirname(addon), 'noise') };
}

function runsIn(answers: string, asked: number): readonly WholeRun[] {
  const runs: WholeRun[] = [];
  for (const line of answers.split('\n').filter((text) => text !== '')) {
    const left = Math.min(asked - runs.length, programsALine);
    runs.push(...runsOfLine(decodeMessage(line), left));
    if (runs.at(-1)?.hangs === true) return runs;
  }
  if (runs.length < asked) throw new HarnessError(`the runner has answered for ${runs.length} of ${asked} programs`);
  return runs;
}

function runsOfLine(answer: unknown, asked: number): readonly WholeRun[] {
  const { result, error } = answer as { readonly result?: unknown; readonly error?: { readonly message?: unknown } };
  if (error !== undefined) throw new HarnessError(`the runner refused the programs: ${String(error.message)}`);
  return wholeRunsOf(result, asked);
}
