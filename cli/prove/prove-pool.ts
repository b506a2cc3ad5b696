import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { HarnessError } from '../../drivers/contract';
import { dyingWithParent } from '../../drivers/support/dying-with-parent';
import { within } from '../../drivers/support/timeout';
import type { History } from '../../drivers/sim/faults/history';
import { root } from '../common/project';
import type { RecordedScenario, Trial, Tried } from './prove-job';
import type { LawfulOutcome, LawfulTrial } from './lawful/lawful-job';
import type { SystematicOutcome, SystematicTrial } from './systematic/systematic-job';

/** How long a process that has nothing left to do may take to end. */
const partingMs = 5000;

/** Features to run without a fault, or scenarios to try under one. */
export type Job =
  | { readonly kind: 'sound'; readonly paths: readonly string[] }
  | { readonly kind: 'fault'; readonly fault: string; readonly trials: readonly Trial[] }
  | { readonly kind: 'systematic'; readonly fault: string; readonly trials: readonly SystematicTrial[] }
  | { readonly kind: 'lawful'; readonly variant: string; readonly trials: readonly LawfulTrial[] };

/** The scenarios without a fault, by {@link placeOf}: a worker hears of them before its first job with a fault. */
export type Histories = ReadonlyMap<string, History>;

/** What came of a job; a worker that dies or falls silent has lost it. */
export type JobResult =
  | { readonly kind: 'sound'; readonly scenarios: readonly RecordedScenario[] }
  | { readonly kind: 'tried'; readonly scenarios: readonly Tried[] }
  | { readonly kind: 'systematic'; readonly outcome: SystematicOutcome }
  | { readonly kind: 'lawful'; readonly outcome: LawfulOutcome }
  | { readonly kind: 'lost'; readonly why: string };

/** What a worker tells. */
export type Answer = JobResult | { readonly kind: 'ready' } | { readonly kind: 'alive' };

/** How many workers there are, and who hears of them. */
export interface PoolOptions {
  /** Module of the faults. */
  readonly module: string;
  readonly workers: number;
  /** Milliseconds without a sign of life after which a worker is given up. */
  readonly silentMsMax: number;
  readonly histories: Histories;
  readonly onStart: (job: Job, index: number) => void;
  readonly onResult?: (result: JobResult, index: number) => void;
}

/** Processes that run features under faults, each one job after the other. */
export class ProvePool {
  readonly #options: PoolOptions;
  readonly #children = new Set<ChildProcess>();
  #next = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** @returns the result of each job, in their order; throws {@link HarnessError} if a worker cannot even start */
  async run(jobs: readonly Job[]): Promise<readonly JobResult[]> {
    const results: JobResult[] = [];
    const workers = Array.from({ length: Math.min(this.#options.workers, jobs.length) }, () =>
      this.#workOff(jobs, results),
    );
    try {
      await Promise.all(workers);
    } finally {
      this.kill();
    }
    return results;
  }

  /** Ends all workers at once. */
  kill(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }

  async #workOff(jobs: readonly Job[], results: JobResult[]): Promise<void> {
    let worker: Worker | undefined;
    for (let job = jobs[this.#next]; job !== undefined; job = jobs[this.#next]) {
      const index = this.#next;
      this.#next += 1;
      worker ??= await this.#start();
      this.#options.onStart(job, index);
      const result = await worker.do(job);
      results[index] = result;
      this.#options.onResult?.(result, index);
      if (!worker.lives) worker = undefined;
    }
    await worker?.dismiss();
  }

  async #start(): Promise<Worker> {
    const [execPath, execArgv] = dyingWithParent(process.execPath, ['-r', join(root, 'ci/typescript.js')]);
    const child = fork(join(__dirname, 'prove-worker.ts'), [this.#options.module], {
      cwd: root,
      execPath,
      execArgv: [...execArgv],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced', // traces have 64-bit values
    });
    this.#children.add(child);
    child.on('exit', () => this.#children.delete(child));
    const worker = new Worker(child, this.#options.silentMsMax);
    await worker.ready();
    child.send(this.#options.histories);
    return worker;
  }
}

/** One of the processes. */
class Worker {
  lives = true;
  #stderr = '';
  #hear: (answer: Answer) => void = () => undefined;

  constructor(
    readonly child: ChildProcess,
    readonly silentMsMax: number,
  ) {
    child.on('message', (answer: Answer) => {
      this.#hear(answer);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#stderr = (this.#stderr + text).slice(-4000)));
    child.on('error', (error) => {
      this.#die(error.message);
    });
    child.on('close', (code, signal) => {
      this.#die(`its process ended with ${signal ?? `exit code ${code ?? 0}`}${this.#lastWords()}`);
    });
  }

  async ready(): Promise<void> {
    const answer = await new Promise<Answer>((resolve) => (this.#hear = resolve));
    if (answer.kind === 'lost') throw new HarnessError(`no process can be started that proves: ${answer.why}`);
  }

  /** Watches for signs of life meanwhile. */
  do(job: Job): Promise<JobResult> {
    return new Promise((resolve) => {
      const watch = setTimeout(() => {
        this.#die(`a scenario did not end within ${this.silentMsMax / 1000} s`);
      }, this.silentMsMax);
      this.#hear = (answer) => {
        watch.refresh();
        if (answer.kind === 'ready' || answer.kind === 'alive') return;
        clearTimeout(watch);
        resolve(answer);
      };
      this.child.send(job, (error) => {
        if (error) this.#die(error.message);
      });
    });
  }

  /** Lets the process end by itself, so that it writes what it has counted for a coverage. */
  async dismiss(): Promise<void> {
    this.lives = false;
    const ended = once(this.child, 'exit');
    if (this.child.connected) this.child.disconnect();
    if ((await within(partingMs, ended)) === undefined) this.kill();
  }

  kill(): void {
    this.lives = false;
    this.child.kill('SIGKILL');
  }

  #die(why: string): void {
    if (!this.lives) return;
    this.kill();
    this.#hear({ kind: 'lost', why });
  }

  /** The line of its error output that says most. */
  #lastWords(): string {
    const line = this.#stderr.split('\n').find((text) => /^\S*Error\b|^FATAL/.test(text.trim()));
    return line === undefined ? '' : `: ${line.trim()}`;
  }
}
