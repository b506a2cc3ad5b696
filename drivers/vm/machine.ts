import { complaintOf, DutPanicked, HarnessError } from '../contract';
import { canDieWithParent } from '../support/dying-with-parent';
import { inOneLine } from '../support/foreign-text';
import type { HostExit, HostProcess } from '../native/carriers/carrier';
import { readLines } from '../support/lines';
import { starvationOf } from '../support/starvation';
import { Tail } from '../support/tail';
import { describeThreads } from '../native/linux/threads';
import { within } from '../support/timeout';
import { linkLine, maxReportBytes, parseReport, startLine, type Role } from './control';
import { GuestProcess } from './guest-process';
import { buildInitramfs, type InitramfsOptions } from './initramfs';
import type { Kernel } from './kernels/kernel';
import { causeOfPanic, KernelLog } from './kernel-log';
import type { ModuleChoice } from './kernels/module-file';
import { moduleRefusalOf } from './module-refusal';
import { spawnQemu, type Qemu, type QemuOptions } from './qemu';

/** Until the device of a VM can be used; without KVM that takes 5 s on an idle machine. */
const BOOT_DEADLINE_MS = 120_000;
/** Until a killed process is gone. One that stays is stuck in the kernel, and the VM is ended for it. */
const KILL_GRACE_MS = 10_000;
/** Until the port is as it was asked to be; it takes some hundredths of a second. */
const LINK_DEADLINE_MS = 20_000;
const unkillable = `was ended because a process was still there ${KILL_GRACE_MS / 1000} s after it had been killed`;

export interface MachineOptions extends InitramfsOptions, QemuOptions {}

function ignore(): void {
  return;
}

/** One QEMU with one booted kernel, which runs one process at a time. */
export class Machine {
  readonly #qemu: Qemu;
  readonly #kernel: Kernel;
  readonly #module: ModuleChoice;
  /** What this kernel has said: of its boot until it is ready, and since then. What it says of its boot is not our matter. */
  readonly #said = new KernelLog();
  /** Resolves with the reason when the VM is no more. */
  readonly #ended: Promise<string>;
  #hasEnded = false;
  #isDistrusted = false;
  #process: GuestProcess | undefined;
  #killTimer: NodeJS.Timeout | undefined;
  #isReady = false;
  /** A VM that is held would not notice that this process is gone. */
  readonly #mayBeHeld: boolean;
  #isHeld = false;
  readonly #qemuErrors = new Tail();
  #closeReason: string | undefined;
  #panic: string | undefined;
  /** What waits for the link to go down or up. */
  #onLink: (up: boolean) => void = () => undefined;
  #isLinkMoving = false;
  /** What waits for a look at the threads of the process. */
  #onThreads: (words: string) => void = () => undefined;
  readonly #ready: Promise<undefined>;
  #onReady: (failure: undefined) => void = () => undefined;

  /**
   * Lets QEMU boot a kernel; see {@link ready}.
   *
   * @param log - receives the kernel's messages
   */
  constructor(kernel: Kernel, options: MachineOptions, log: KernelLog) {
    this.#kernel = kernel;
    this.#module = options.module;
    this.#mayBeHeld = options.time === 'virtual' && canDieWithParent();
    this.#qemu = spawnQemu(kernel, buildInitramfs(kernel, options), options);
    const { process, rpc, control, log: serial } = this.#qemu;
    this.#ready = new Promise((resolve) => (this.#onReady = resolve));
    this.#ended = new Promise((resolve) => {
      process.once('error', (error) => {
        resolve(this.#end(error.message, false));
      });
      process.once('close', (code, signal) => {
        resolve(this.#end(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`, code === 0));
      });
    });
    process.stderr?.on('data', (chunk: Buffer) => {
      this.#qemuErrors.add(chunk);
    });
    serial.setEncoding('latin1').on('data', (text: string) => {
      log.add(text);
      this.#said.add(text);
    });
    rpc.on('data', (chunk: Buffer) => this.#process?.takeOutput(chunk));
    const line = (text: string): void => {
      this.#takeReport(text);
    };
    readLines(control, maxReportBytes, { line, tooLong: ignore }, ignore);
  }

  /** Whether it can start processes. */
  get alive(): boolean {
    return !this.#hasEnded;
  }

  /** From now on the kernel counts as one that has complained. */
  distrust(): void {
    this.#isDistrusted = true;
  }

  /** Whether the kernel has complained since it was ready. */
  get hasComplained(): boolean {
    if (this.#isReady) this.#isDistrusted ||= complaintOf(this.#said.takeNew()) !== undefined;
    return this.#isDistrusted;
  }

  /**
   * Waits until the guest can start processes.
   *
   * @throws HarnessError with the last messages of the kernel if that takes too long or fails; the VM is closed then
   */
  async ready(): Promise<void> {
    const failure = await this.#failureBefore(this.#ready, 'was not ready', BOOT_DEADLINE_MS);
    if (failure === undefined) return;
    await this.close();
    const lines = this.#said.lines();
    throw moduleRefusalOf(this.#module, this.#kernel.release, lines) ?? this.#bootError(failure, lines);
  }

  #bootError(failure: string, lines: readonly string[]): HarnessError {
    const messages = lines
      .slice(-10)
      .map((line) => inOneLine(line))
      .join('\n');
    return new HarnessError(
      `the VM with kernel ${this.#kernel.release} ${failure}`,
      `try another --kernel; this one said last:\n${messages}`,
    );
  }

  /** Starts a process in the guest. */
  start(command: readonly string[], role: Role): HostProcess {
    if (this.#process !== undefined || this.#hasEnded) throw new HarnessError('the VM cannot start a process now');
    const { rpc } = this.#qemu;
    const process = new GuestProcess({
      write: (chunk, done) => {
        this.#goOn();
        rpc.write(chunk, () => {
          done();
        });
      },
      kill: () => {
        this.#order('kill\n');
        this.#killTimer ??= setTimeout(() => void this.close(unkillable), KILL_GRACE_MS);
      },
      threads: () => {
        this.#order('threads\n');
        return new Promise((resolve) => (this.#onThreads = resolve));
      },
      hold: () => {
        this.#hold();
      },
      starvation: () => starvationOf(this.#qemu.process.pid ?? 0),
    });
    this.#process = process;
    void process.ended.then(() => {
      this.#process = undefined;
      clearTimeout(this.#killTimer);
      this.#killTimer = undefined;
    });
    this.#order(startLine(process.marker, role, command));
    // A line of which the process before has read only half ends here.
    rpc.write('\n');
    return process;
  }

  /**
   * Takes the link of the rxe device down or up and waits until its port says so. One at a time.
   *
   * @throws DutPanicked if the kernel died of it, HarnessError if the port does not follow
   */
  async setPortUp(up: boolean): Promise<void> {
    const follows = new Promise<undefined>((resolve) => {
      this.#onLink = (isUp) => {
        if (isUp === up) resolve(undefined);
      };
    });
    this.#isLinkMoving = true;
    this.#order(linkLine(up));
    const direction = up ? 'up' : 'down';
    const failure = await this.#failureBefore(follows, `did not take its link ${direction}`, LINK_DEADLINE_MS);
    this.#isLinkMoving = false;
    if (this.#panic !== undefined) {
      throw new DutPanicked(`the kernel of the DUT died when its link went ${direction}: ${this.#panic}`);
    }
    if (failure !== undefined) throw new HarnessError(`the VM ${failure}`);
  }

  #order(line: string): void {
    this.#goOn();
    this.#qemu.control.write(line);
  }

  /** Halts QEMU, which is quicker than to ask it to halt the VM. */
  #hold(): void {
    if (!this.#mayBeHeld || this.#isLinkMoving || this.#isHeld || this.#hasEnded) return;
    this.#isHeld = true;
    this.#qemu.process.kill('SIGSTOP');
  }

  #goOn(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#qemu.process.kill('SIGCONT');
  }

  /**
   * Ends the VM, whatever it does.
   *
   * @param reason - what happened to the VM, as the error of a process that is still there
   */
  async close(reason = 'was closed'): Promise<void> {
    this.#closeReason ??= reason;
    const { process } = this.#qemu;
    process.kill('SIGKILL');
    if ((await within(KILL_GRACE_MS, this.#ended)) !== undefined) return;
    // What this machine's kernel does not let go is left to it, and keeps this process no longer.
    for (const stream of process.stdio) stream?.destroy();
    process.unref();
  }

  /** Waits for a report of the guest. @returns what happened instead: the VM ended, or the report was late */
  async #failureBefore(report: Promise<undefined>, late: string, deadlineMs: number): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, deadlineMs, `${late} within ${deadlineMs / 1000} s`);
    });
    const failure = await Promise.race([report, deadline, this.#ended]);
    clearTimeout(timer);
    return failure;
  }

  #takeReport(line: string): void {
    const report = parseReport(line);
    if (report?.kind === 'link') this.#onLink(report.up);
    if (report?.kind === 'threads') this.#onThreads(describeThreads(report.pid, report.texts));
    if (report?.kind === 'ready' && !this.#isReady) {
      this.#isReady = true;
      this.#said.takeNew();
      this.#onReady(undefined);
    }
    if (report?.kind === 'exit' && report.marker === this.#process?.marker) this.#process.takeExit(report.exit);
  }

  /**
   * @param byGuest - whether the guest ended it: none does unasked whose kernel lives, unless its own programs fail
   * @returns why there is no VM any more
   */
  #end(how: string, byGuest: boolean): string {
    this.#hasEnded = true;
    const lines = this.#said.lines();
    const complaint = lines.find((line) => line.includes('verbspec: '));
    const isMute = byGuest && this.#closeReason === undefined && complaint === undefined;
    this.#panic = causeOfPanic(lines) ?? (isMute ? 'the VM ended and its kernel had said nothing' : undefined);
    const cause = inOneLine(this.#panic ?? complaint ?? this.#qemuErrors.text().split('\n').at(-1) ?? '');
    const reason = this.#closeReason ?? (cause === '' ? how : `${how}: ${cause}`);
    this.#process?.lose(this.#exitFor(`the VM ${reason}`));
    return reason;
  }

  /** The error of a process that was still there. */
  #exitFor(reason: string): HostExit {
    const exit = { code: null, signal: null, stderrTail: reason };
    if (this.#panic !== undefined) return { ...exit, panic: this.#panic };
    return this.#closeReason === undefined ? { ...exit, outage: reason } : exit;
  }
}
