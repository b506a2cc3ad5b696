import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, Writable, type Duplex } from 'node:stream';
import { HarnessError } from '../contract';
import type { HostExit, HostProcess } from '../native/carrier';
import { parseReport, startLine, type Stderr } from './control';
import { buildInitramfs, type InitramfsOptions } from './initramfs';
import type { Kernel } from './kernel';
import { KernelLog } from './kernel-log';
import { MarkedOutput } from './output';
import { failure, findProgram, needProgram } from './programs';
import { fds, qemuArguments } from './qemu';

/** How long a VM may take until its device can be used; without KVM it takes 10 s. */
const BOOT_DEADLINE_MS = 120_000;
/** How long a killed process may take to go; one that stays is stuck in the kernel, and the VM is ended for it. */
const KILL_GRACE_MS = 5_000;

export interface MachineOptions extends InitramfsOptions {
  readonly memoryMb: number;
}

/** What is left of a process when its VM has ended under it. */
type MachineEnd = Pick<HostExit, 'panic'> & { readonly reason: string };

interface Guest {
  readonly marker: string;
  readonly output: PassThrough;
  readonly cut: MarkedOutput;
  finish(exit: HostExit): void;
  exit?: HostExit;
  outputComplete: boolean;
}

/** One QEMU with one booted kernel, which runs one process at a time. */
export class Machine {
  /** Resolves when the VM is no more; never rejects. */
  readonly ended: Promise<MachineEnd>;
  private hasEnded = false;
  private guest: Guest | undefined;
  private readonly rpc: Duplex;
  private readonly control: Duplex;
  private onReady: (outcome: 'ready') => void = () => undefined;
  private killTimer: NodeJS.Timeout | undefined;
  private errors = '';

  private constructor(
    private readonly qemu: ChildProcess,
    private readonly kernel: Kernel,
    private readonly log: KernelLog,
  ) {
    this.rpc = this.port(fds.rpc);
    this.control = this.port(fds.control);
    this.port(fds.log).setEncoding('latin1').on('data', (text: string) => {
      log.add(text);
    });
    qemu.stderr?.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    this.rpc.on('data', (chunk: Buffer) => {
      this.takeOutput(chunk);
    });
    createInterface({ input: this.control }).on('line', (line) => {
      this.takeReport(line);
    });
    this.ended = new Promise((resolve) => {
      qemu.once('error', (error) => {
        this.errors += error.message;
        resolve(this.end(null, null));
      });
      qemu.once('close', (code, signal) => {
        resolve(this.end(code, signal));
      });
    });
  }

  /** Whether it can start processes. */
  get alive(): boolean {
    return !this.hasEnded;
  }

  /**
   * Lets QEMU boot a kernel; see {@link ready}.
   *
   * @param log - receives the kernel's messages
   */
  static launch(kernel: Kernel, options: MachineOptions, log: KernelLog): Machine {
    return new Machine(spawnQemu(kernel, options), kernel, log);
  }

  /**
   * Waits until the guest can start processes.
   *
   * @throws HarnessError with the last messages of the kernel if that takes too long, and the VM is closed
   */
  async ready(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, BOOT_DEADLINE_MS, 'late');
    });
    const ready = new Promise<'ready'>((resolve) => {
      this.onReady = resolve;
    });
    const outcome = await Promise.race([ready, late, this.ended]);
    clearTimeout(timer);
    if (outcome === 'ready') return;
    await this.close();
    const what = outcome === 'late' ? `was not ready within ${BOOT_DEADLINE_MS / 1000} s` : outcome.reason;
    throw new HarnessError(`the VM with kernel ${this.kernel.release} ${what}`, `its kernel said last:\n${this.log.tail(10)}`);
  }

  /** Starts a process in the guest; the one before has ended. */
  start(command: readonly string[], stderr: Stderr): HostProcess {
    const marker = `end${randomBytes(16).toString('hex')}`;
    const output = new PassThrough();
    const ended = new Promise<HostExit>((finish) => {
      this.guest = { marker, output, cut: new MarkedOutput(marker), finish, outputComplete: false };
    });
    this.control.write(startLine(marker, stderr, command));
    // Whatever half line the process before left unread ends here.
    this.rpc.write('\n');
    return { input: this.inputFor(marker), output, ended, kill: () => { this.kill(marker); } };
  }

  /** Ends the VM, whatever it does. */
  async close(): Promise<void> {
    this.qemu.kill('SIGKILL');
    await this.ended;
  }

  private port(fd: number): Duplex {
    const stream = this.qemu.stdio[fd] as Duplex;
    // That QEMU is gone is told by its exit, not by the streams to it.
    stream.on('error', () => undefined);
    return stream;
  }

  private takeReport(line: string): void {
    const report = parseReport(line);
    if (report?.kind === 'ready') this.onReady('ready');
    if (report?.kind === 'exit' && report.marker === this.guest?.marker) {
      this.guest.exit = report.exit;
      this.finishIfComplete(this.guest);
    }
  }

  /** The end of its input is for a process what a closed pipe would be; the port itself stays open for the next. */
  private inputFor(marker: string): Writable {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (this.guest?.marker === marker && this.alive) this.rpc.write(chunk, done);
        else done();
      },
      final: (done) => {
        this.kill(marker);
        done();
      },
    });
  }

  private kill(marker: string): void {
    if (this.guest?.marker !== marker) return;
    this.control.write('kill\n');
    this.killTimer ??= setTimeout(() => void this.close(), KILL_GRACE_MS);
  }

  private takeOutput(chunk: Buffer): void {
    const { guest } = this;
    if (guest === undefined || guest.outputComplete) return;
    const { output, complete } = guest.cut.push(chunk);
    // Not held back when nobody reads: the marker behind it must come through.
    if (output.length > 0) guest.output.write(output);
    guest.outputComplete = complete;
    this.finishIfComplete(guest);
  }

  private finishIfComplete(guest: Guest): void {
    if (guest.exit !== undefined && guest.outputComplete) this.finish(guest, guest.exit);
  }

  private finish(guest: Guest, exit: HostExit): void {
    this.guest = undefined;
    clearTimeout(this.killTimer);
    this.killTimer = undefined;
    guest.output.end();
    guest.finish(exit);
  }

  private end(code: number | null, signal: string | null): MachineEnd {
    this.hasEnded = true;
    const panic = this.log.find(/Kernel panic/);
    const cause = panic ?? this.log.find(/verbspec: /) ?? this.errors.trim().split('\n').at(-1) ?? '';
    const reason = [signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`, cause].join(': ');
    const end = panic === undefined ? { reason } : { reason, panic };
    if (this.guest !== undefined) {
      const exit = { code: null, signal: null, stderrTail: `the VM ${reason}` };
      this.finish(this.guest, this.guest.exit ?? (panic === undefined ? exit : { ...exit, panic }));
    }
    return end;
  }
}

function spawnQemu(kernel: Kernel, options: MachineOptions): ChildProcess {
  const initramfs = openUnlinked(buildInitramfs(kernel, options));
  try {
    const command = [needProgram('qemu-system-x86_64'), ...qemuArguments(kernel, options.memoryMb)];
    // The kernel kills QEMU when this process dies; where there is no setpriv, the guest notices and powers off.
    const setpriv = findProgram('setpriv');
    const [program = '', ...args] = setpriv === undefined ? command : [setpriv, '--pdeathsig', 'KILL', ...command];
    return spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe', initramfs] });
  } finally {
    closeSync(initramfs);
  }
}

/** A file with this content and no name, so that nothing is left of it, however this process ends. */
function openUnlinked(content: Buffer): number {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'verbspec-'));
    try {
      const file = openSync(join(folder, 'initramfs'), 'w+');
      rmSync(folder, { recursive: true });
      writeSync(file, content);
      return file;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch (error) {
    throw failure('writing the initramfs', '', error as Error, 'set TMPDIR to a folder that can be written');
  }
}
