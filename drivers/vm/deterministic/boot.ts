import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DutPanicked, HarnessError } from '../../contract';
import { dyingWithParent } from '../../support/dying-with-parent';
import { inOneLine } from '../../support/foreign-text';
import { needProgram } from '../../support/programs';
import { Tail } from '../../support/tail';
import { makeTemporaryFolder, temporaryPrefixes } from '../../support/temporary-folder';
import { within } from '../../support/timeout';
import { causeOfPanic } from '../kernel-log';
import type { Kernel } from '../kernels/kernel';
import { kernelCommandLine, slowWhereEmulated } from '../qemu';
import { sandboxOptions } from '../sandbox';
import type { Schedule } from './schedule';

/** Megabytes that the guest has: it holds its whole file system, and no Node.js. */
const memoryMb = 512;

/** What a deterministic VM is to be: the same of these gives the same of {@link Booted}. */
export interface Boot {
  readonly kernel: Kernel;
  readonly image: Buffer;
  readonly schedule: Schedule;
  /** Milliseconds on the clock of this machine until it counts as hung. */
  readonly deadlineMs: number;
}

/** What came out of it. */
export interface Booted {
  /** What the kernel has written, from its first line to its last. */
  readonly log: string;
  /** What the guest told on its second serial port, unpacked. */
  readonly answers: string;
}

/**
 * Boots a VM into which nothing comes from outside while it runs, lets it come to its end, and takes what it told.
 *
 * @throws DutPanicked if the kernel panicked, HarnessError if the programs were not run or it did not end in time
 */
export async function boot({ kernel, image, schedule, deadlineMs }: Boot): Promise<Booted> {
  const folder = makeTemporaryFolder(tmpdir(), temporaryPrefixes.system);
  const [initramfs, log, answers] = ['initramfs', 'log', 'answers'].map((name) => join(folder, name)) as Files;
  try {
    writeFileSync(initramfs, image);
    const failure = await run(argumentsOf(kernel, schedule, { initramfs, log, answers }), deadlineMs);
    const text = readFileSync(log, 'latin1');
    demandSuccess(kernel.release, text.split('\n'), failure);
    return { log: text, answers: unpacked(readFileSync(answers)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws DutPanicked if the kernel has, HarnessError if something else went wrong */
function demandSuccess(release: string, lines: readonly string[], failure: string | undefined): void {
  const where = `the deterministic VM with kernel ${release}`;
  const panic = causeOfPanic(lines);
  if (panic !== undefined) throw new DutPanicked(`${where}: ${inOneLine(panic)}`);
  const reason = lines.find((line) => line.includes('verbspec: ') && !line.includes(success)) ?? failure;
  if (reason !== undefined) throw new HarnessError(`${where}: ${inOneLine(reason)}`);
}

type Files = [initramfs: string, log: string, answers: string];

/** What guest.sh says when all is well. */
const success = 'the programs have run';

function unpacked(bytes: Buffer): string {
  try {
    return gunzipSync(bytes).toString();
  } catch (error) {
    throw new HarnessError(`the deterministic VM told nothing that can be read: ${(error as Error).message}`);
  }
}

/** @returns why QEMU did not end by itself as it should */
async function run(args: readonly string[], deadlineMs: number): Promise<string | undefined> {
  const qemu = needProgram('qemu-system-x86_64');
  const [program, words] = dyingWithParent(qemu, [...args, ...sandboxOptions(qemu)]);
  const child = spawn(program, [...words], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const errors = new Tail();
  child.stderr.on('data', (chunk: Buffer) => {
    errors.add(chunk);
  });
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('close', (code) => {
      resolve(code === 0 ? undefined : `QEMU ended with exit code ${code}: ${errors.text()}`);
    });
  });
  const late = `it did not end within ${deadlineMs / 1000} s`;
  const outcome = await within(
    deadlineMs,
    ended.then((failure) => ({ failure })),
  );
  if (outcome === undefined) child.kill('SIGKILL');
  return outcome === undefined ? late : outcome.failure;
}

/** All that the machine can read of this one is left out: its clock, its random numbers, its ports. */
function argumentsOf(
  kernel: Kernel,
  { shift, kernelOptions }: Schedule,
  files: { readonly initramfs: string; readonly log: string; readonly answers: string },
): readonly string[] {
  const cpu = ['max', ...[...slowWhereEmulated, 'rdrand', 'rdseed'].map((feature) => `${feature}=off`)].join(',');
  const options = [kernelCommandLine, 'sysctl.kernel.hung_task_timeout_secs=0', ...kernelOptions].join(' ');
  return [
    ...['-nodefaults', '-no-user-config', '-no-reboot', '-display', 'none'],
    ...['-machine', 'pc,accel=tcg', '-cpu', cpu, '-smp', '1', '-m', `${memoryMb}M`],
    ...['-icount', `shift=${shift},sleep=off`, '-rtc', 'base=2026-01-01T00:00:00,clock=vm', '-seed', '1'],
    ...['-kernel', kernel.image, '-initrd', files.initramfs, '-append', options],
    ...['-device', 'pvpanic-pci', '-action', 'panic=exit-failure'],
    ...['-chardev', `file,id=log,path=${files.log}`, '-serial', 'chardev:log'],
    ...['-chardev', `file,id=answers,path=${files.answers}`, '-serial', 'chardev:answers'],
  ];
}
