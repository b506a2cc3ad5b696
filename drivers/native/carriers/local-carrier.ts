import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { HarnessError } from '../../contract';
import type { Carrier, HostExit, HostProcess } from './carrier';
import { backtraceOf } from '../linux/debugger';
import { KernelMessages } from '../linux/kernel-messages';
import type { RdmaCore } from '../linux/rdma-core';
import { Tail } from '../../support/tail';
import { describeThreads, readThreads } from '../linux/threads';
import { within } from '../../support/timeout';

/** The compiled host program. */
export const hostProgram = resolve(
  __dirname,
  '..',
  '..',
  '..',
  'build',
  'host',
  'drivers',
  'native',
  'host',
  'host.js',
);

/** Milliseconds that the last output of a process may take once the process has ended. */
const outputGraceMs = 1000;

/** Milliseconds that a killed process may take to be gone. */
const killGraceMs = 5000;

/** How {@link LocalCarrier} starts host processes. */
export interface LocalCarrierOptions {
  /** Additional environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** Arguments of Node before `--session`; {@link hostProgram} unless given. */
  readonly nodeArgs?: readonly string[];
  /** An rdma-core to run on, instead of the one that is installed. */
  readonly rdmaCore?: RdmaCore;
  /** Kernel modules of the device: given, this machine's kernel is listened to for complaints that concern them. */
  readonly kernelModules?: readonly string[];
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts host processes on this machine, as children with pipes. */
export class LocalCarrier implements Carrier {
  readonly #options: LocalCarrierOptions;
  readonly #messages: KernelMessages | undefined;
  #current: LocalHost | undefined;

  constructor(options: LocalCarrierOptions = {}) {
    this.#options = options;
    this.#messages = options.kernelModules && new KernelMessages();
  }

  /** Others use this machine's kernel too, so what they do to it is not blamed on the device. */
  get kernelModules(): readonly string[] {
    return this.#options.kernelModules ?? [];
  }

  async start(session: number): Promise<HostProcess> {
    const { env, nodeArgs = [builtHostProgram()], rdmaCore } = this.#options;
    const onInstalled = [process.execPath, ...nodeArgs, '--session', String(session)];
    const [program = '', ...args] = rdmaCore?.around(onInstalled, process.getuid?.() === 0) ?? onInstalled;
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true, // Ctrl-C is for this process, which ends the host in order
      env: { ...process.env, ...env },
    });
    const host = new LocalHost(child);
    await spawned(child);
    this.#current = host;
    return host;
  }

  kernelLog(): string {
    return this.#messages?.takeNew() ?? '';
  }

  /** A process that the kernel does not let go is left to the kernel. */
  async close(): Promise<void> {
    this.#messages?.close();
    const host = this.#current;
    if (host === undefined) return;
    host.kill();
    if ((await within(killGraceMs, host.ended)) === undefined) host.abandon();
  }
}

/** The compiled host program. @throws HarnessError if it is not there yet */
export function builtHostProgram(program = hostProgram): string {
  if (existsSync(program)) return program;
  throw new HarnessError('the host program is not built', '`npm run setup` builds it');
}

async function spawned(child: Child): Promise<void> {
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new HarnessError(`a host process cannot be started: ${String(error)}`);
  }
}

/** A child with what it said last, and with all that it may have started. */
class LocalHost implements HostProcess {
  readonly input: Writable;
  readonly output: Readable;
  readonly ended: Promise<HostExit>;
  readonly #child: Child;

  constructor(child: Child) {
    this.#child = child;
    this.input = child.stdin;
    this.output = child.stdout;
    const tail = new Tail();
    child.stderr.on('data', (chunk: Buffer) => {
      tail.add(chunk);
    });
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        resolve({ code, signal, stderrTail: tail.text() });
      });
    });
    child.once('exit', () => {
      this.#killGroup();
      this.#boundOutput();
    });
    child.on('error', () => undefined); // of a spawn that failed, which is reported where it was tried
  }

  kill(): void {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#killGroup();
  }

  async threads(): Promise<string> {
    const { pid } = this.#child;
    if (pid === undefined) return '';
    const threads = describeThreads(pid, readThreads(pid));
    const backtrace = await backtraceOf(pid);
    return backtrace === '' ? threads : `${threads}; gdb says:\n${backtrace}`;
  }

  /** Lets this process end in spite of a child that does not. */
  abandon(): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
    this.#child.unref();
  }

  /** The group outlives the child as long as the provider has left a process in it. */
  #killGroup(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error; // ESRCH: nothing of it is left
    }
  }

  /** A process that the provider has sent out of the group may hold the streams open for ever. */
  #boundOutput(): void {
    const timer = setTimeout(() => {
      this.abandon();
    }, outputGraceMs);
    this.#child.once('close', () => {
      clearTimeout(timer);
    });
  }
}
