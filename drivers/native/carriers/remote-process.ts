import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { inOneLine } from '../../support/foreign-text';
import type { HostExit, HostProcess } from './carrier';
import { LineCutter } from '../../support/lines';
import { maxWordBytes, signOfLifeMs, wordIn, type RemoteWord } from './remote-words';
import { Tail } from '../../support/tail';

/** Milliseconds that the far side may take to end a host process that was killed, and ssh to end after its word. */
const graceMs = { kill: 10_000, end: 2000 };

/** What a far side is started with. */
export interface RemoteStart {
  /** Arguments of ssh. */
  readonly args: readonly string[];
  /** Begins the lines in which the far side speaks. */
  readonly marker: string;
  /** The other end, as messages name it. */
  readonly destination: string;
}

/** A host process at the other end of an ssh connection. */
export class RemoteProcess implements HostProcess {
  readonly input: Writable;
  readonly output: Readable;
  readonly ended: Promise<HostExit>;
  /** Resolves once the far side starts a host process, or with why it does not. */
  readonly started: Promise<string | undefined>;
  /** What the other machine calls itself, once it has started a host process. */
  hostName: string | undefined;
  readonly #ssh: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #start: RemoteStart;
  readonly #sshWords = new Tail();
  readonly #signsOfLife: NodeJS.Timeout;
  #exit: HostExit | undefined;
  #refusal: string | undefined;
  #wasKilled = false;
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;
  #resolveStarted: (reason: string | undefined) => void = () => undefined;

  constructor(start: RemoteStart) {
    this.#start = start;
    this.started = new Promise((resolve) => (this.#resolveStarted = resolve));
    // In a group of its own: Ctrl-C is for this process, which ends the host in order.
    this.#ssh = spawn('ssh', start.args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    this.input = this.#ssh.stdin.on('error', () => undefined);
    this.output = this.#ssh.stdout;
    this.#signsOfLife = setInterval(() => {
      if (this.input.writable) this.input.write('\n');
    }, signOfLifeMs);
    this.#listen();
    this.ended = this.#endOfSsh();
  }

  /** The end of the stream is the order to the far side; if it does not follow, the connection is cut. */
  kill(): void {
    this.#wasKilled = true;
    this.input.destroy();
    if (this.#exit === undefined && !this.#hasEnded) this.#cutAfter(graceMs.kill);
  }

  #listen(): void {
    const lines = new LineCutter(maxWordBytes, {
      line: (line) => {
        this.#hear(line);
      },
      tooLong: () => {
        this.#hear(`a line of more than ${maxWordBytes} bytes`);
      },
    });
    this.#ssh.stderr
      .on('data', (chunk: Buffer) => {
        lines.add(chunk);
      })
      .once('end', () => {
        lines.end();
      })
      .on('error', () => undefined); // the end of ssh is what counts
  }

  async #endOfSsh(): Promise<HostExit> {
    const failure = await new Promise<string | undefined>((resolve) => {
      this.#ssh.once('error', (error) => {
        resolve(error.message);
      });
      this.#ssh.once('close', () => {
        resolve(undefined);
      });
    });
    this.#hasEnded = true;
    clearInterval(this.#signsOfLife);
    clearTimeout(this.#timer);
    const said = failure ?? this.#refusal ?? this.#sshWords.text().split('\n').at(-1) ?? '';
    this.#resolveStarted(failure ?? this.#refusal ?? this.#sshWords.text());
    return this.#exit ?? this.#unexplained(said);
  }

  /** The far side has said nothing of an end. */
  #unexplained(said: string): HostExit {
    if (this.#wasKilled) return { code: null, signal: 'SIGKILL', stderrTail: '' };
    const words = inOneLine(said);
    const lost = `the connection to ${this.#start.destination} ended${words === '' ? '' : ` (${words})`}`;
    return { code: null, signal: null, stderrTail: '', lost };
  }

  #hear(line: string): void {
    const word = wordIn(this.#start.marker, line);
    if (word === undefined) this.#sshWords.add(Buffer.from(`${line}\n`));
    else this.#take(word);
  }

  #take(word: RemoteWord): void {
    switch (word.kind) {
      case 'ready':
        this.hostName = word.hostName;
        this.#resolveStarted(undefined);
        break;
      case 'refused':
        this.#refusal = word.reason;
        break;
      case 'ended':
        this.#exit = word.exit;
        clearTimeout(this.#timer);
        // A process that the provider has hidden from us may hold the connection open.
        this.#cutAfter(graceMs.end);
    }
  }

  #cutAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#ssh.kill('SIGKILL');
      for (const stream of this.#ssh.stdio) stream?.destroy();
    }, ms);
  }
}
