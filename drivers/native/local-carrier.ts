import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { HarnessError } from '../contract';
import type { Carrier, HostExit, HostProcess } from './carrier';
import { Tail } from './tail';

/** The compiled host program. */
export const hostProgram = resolve(__dirname, '../../build/host/drivers/native/host.js');

/** How {@link LocalCarrier} starts host processes. */
export interface LocalCarrierOptions {
  /** Additional environment, such as LD_LIBRARY_PATH for an rdma-core of one's own. */
  readonly env?: NodeJS.ProcessEnv;
  /** Arguments of Node before `--session`; {@link hostProgram} unless given. */
  readonly nodeArgs?: readonly string[];
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts host processes on this machine, as children with pipes. */
export class LocalCarrier implements Carrier {
  readonly #options: LocalCarrierOptions;
  #current: HostProcess | undefined;

  constructor(options: LocalCarrierOptions = {}) {
    this.#options = options;
  }

  async start(session: number): Promise<HostProcess> {
    const { env, nodeArgs = [builtHostProgram()] } = this.#options;
    const child = spawn(process.execPath, [...nodeArgs, '--session', String(session)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true, // Ctrl-C is for this process, which ends the host in order
      env: { ...process.env, ...env },
    });
    const started = hostProcessOf(child);
    await spawned(child);
    this.#current = started;
    return started;
  }

  /** The kernel is the user's own; its log is not ours to read. */
  kernelLog(): string {
    return '';
  }

  async close(): Promise<void> {
    this.#current?.kill();
    await this.#current?.ended;
  }
}

function builtHostProgram(): string {
  if (existsSync(hostProgram)) return hostProgram;
  throw new HarnessError('the host program is not built', 'run `npm test` once; it builds it');
}

async function spawned(child: Child): Promise<void> {
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new HarnessError(`a host process cannot be started: ${String(error)}`);
  }
}

function hostProcessOf(child: Child): HostProcess {
  const tail = new Tail();
  child.stderr.on('data', (chunk: Buffer) => {
    tail.add(chunk);
  });
  const ended = new Promise<HostExit>((resolve) => {
    child.on('close', (code, signal) => {
      resolve({ code, signal, stderrTail: tail.text() });
    });
  });
  child.on('error', () => undefined); // of a kill that came too late
  return { input: child.stdin, output: child.stdout, ended, kill: () => void child.kill('SIGKILL') };
}
