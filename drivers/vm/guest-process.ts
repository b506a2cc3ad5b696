import { randomBytes } from 'node:crypto';
import { PassThrough, Writable } from 'node:stream';
import type { HostExit, HostProcess } from '../native/carriers/carrier';
import type { Starvation } from '../support/starvation';
import { MarkedOutput } from './marked-output';

/** What a process in the guest may ask of its VM. */
export interface GuestPort {
  /** Writes to the process's input; calls back once done or the VM is gone. */
  write(chunk: Buffer, done: () => void): void;
  /** Kills the process. */
  kill(): void;
  /** See {@link HostProcess.hold}. */
  hold(): void;
  /** See {@link HostProcess.starvation}. */
  starvation(): Starvation;
  /** See {@link HostProcess.threads}. */
  threads(): Promise<string>;
}

/** A process in the guest, which shares its port with those before and after it. */
export class GuestProcess implements HostProcess {
  /** Ends the output of this process on the port, and names it on the control port. */
  readonly marker = `end${randomBytes(16).toString('hex')}`;
  readonly input: Writable;
  readonly output = new PassThrough();
  readonly ended: Promise<HostExit>;
  readonly #port: GuestPort;
  readonly #marked = new MarkedOutput(this.marker);
  #exit: HostExit | undefined;
  #outputIsComplete = false;
  #hasEnded = false;
  #resolveEnded: (exit: HostExit) => void = () => undefined;

  constructor(port: GuestPort) {
    this.#port = port;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.input = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (this.#hasEnded) done();
        else this.#port.write(chunk, done);
      },
      // The port stays open for the next process, so this one cannot see the end of its input.
      final: (done) => {
        this.kill();
        done();
      },
    });
  }

  kill(): void {
    if (!this.#hasEnded) this.#port.kill();
  }

  hold(): void {
    if (!this.#hasEnded) this.#port.hold();
  }

  starvation(): Starvation {
    return this.#port.starvation();
  }

  threads(): Promise<string> {
    return this.#hasEnded ? Promise.resolve('') : this.#port.threads();
  }

  /** Takes bytes of the port, and ends the output where the marker stands. */
  takeOutput(chunk: Buffer): void {
    if (this.#outputIsComplete) return;
    const { output, isComplete } = this.#marked.push(chunk);
    // Written even if nobody reads: what holds the port back holds the marker back.
    if (output.length > 0) this.output.write(output);
    this.#outputIsComplete = isComplete;
    this.#endIfComplete();
  }

  /** Takes the guest's word on how the process ended; its last output may still be under way. */
  takeExit(exit: HostExit): void {
    this.#exit = exit;
    this.#endIfComplete();
  }

  /** The VM is gone: nothing more will come. */
  lose(exit: HostExit): void {
    this.#end(this.#exit ?? exit);
  }

  #endIfComplete(): void {
    if (this.#exit !== undefined && this.#outputIsComplete) this.#end(this.#exit);
  }

  #end(exit: HostExit): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.output.end();
    this.#resolveEnded(exit);
  }
}
