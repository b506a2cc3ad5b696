import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../../cli/common/project';
import { within } from '../../drivers/support/timeout';
import { ProcessMark } from './processes';
import { nobody, type Scratch } from './scratch';
import type { SignalAfter, Try } from './try';

const verbspec = [process.execPath, join(root, 'cli', 'verbspec.js')];

/** Milliseconds after which a process that was to end with its parent has outlived it. */
const leftoverMs = 5_000;
const hearEveryMs = 20;
const weighEveryMs = 300;

/** MiB that a try may need which says nothing else; one that needs more is killed, for the sake of the machine. */
const usualMemoryMaxMiB = 2500;

/** Characters of the output that are kept; more is a flood. */
const outputMax = 4 * 1024 * 1024;

/** Commands that write into a folder of the project's by default. */
const writers = ['run', 'report', 'spec-book', 'prove'];

/** How a try ended. */
export interface Ending {
  /** `undefined` if it did not end in time. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  /** Names of the processes that it has left. */
  readonly left: readonly string[];
  /** What it needed where that was more than it may. */
  readonly tooManyMiB?: number;
  /** What was to be heard before a signal, and was not. */
  readonly unheard?: RegExp;
}

/** The process of a try, with nothing of the environment of this one but PATH. */
export class TriedCommand {
  readonly #try: Try;
  readonly #child: ChildProcess;
  readonly #mark = new ProcessMark();
  readonly #output = { stdout: '', stderr: '' };
  readonly #closed: Promise<[number | null, NodeJS.Signals | null]>;

  /** @param cache - folder of what can be made again, for all tries of this user */
  constructor(one: Try, scratch: Scratch, cache: string) {
    this.#try = one;
    this.#child = spawn('/bin/sh', ['-c', one.under ?? 'exec "$@"', 'sh', ...commandOf(one, scratch)], {
      cwd: scratch.here,
      env: { ...environmentOf(one, scratch, cache), ...this.#mark.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const name of ['stdout', 'stderr'] as const) {
      this.#child[name]?.setEncoding('utf8').on('data', (text: string) => {
        if (this.#output[name].length < outputMax) this.#output[name] += text;
      });
    }
    this.#closed = once(this.#child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  }

  /**
   * Waits for its end, and ends all that it has started.
   *
   * @param patienceMs - milliseconds that it may take if it says nothing else
   */
  async finish(patienceMs: number): Promise<Ending> {
    const startedAt = Date.now();
    const { maxMs = patienceMs, memoryMaxMiB = usualMemoryMaxMiB } = this.#try;
    let peakMiB = 0;
    const weighing = setInterval(() => {
      peakMiB = Math.max(peakMiB, this.#mark.peakMiB());
      if (peakMiB > memoryMaxMiB) this.#mark.killAll();
    }, weighEveryMs);
    const signalling = this.#sendSignals(this.#try.signals ?? []);
    const ended = await within(maxMs, this.#closed);
    const durationMs = Date.now() - startedAt;
    clearInterval(weighing);
    const left = ended === undefined ? [] : await this.#mark.leftAfter(leftoverMs);
    await this.kill();
    const unheard = await signalling;
    const code = ended && codeOf(...ended);
    const isTooLarge = peakMiB > memoryMaxMiB;
    return {
      code,
      ...this.#output,
      durationMs,
      left,
      ...(isTooLarge && { tooManyMiB: Math.round(peakMiB) }),
      ...(unheard && { unheard }),
    };
  }

  async kill(): Promise<void> {
    this.#mark.killAll();
    await this.#closed;
  }

  /** @returns what was not said, so that its signal was not sent */
  async #sendSignals(signals: readonly SignalAfter[]): Promise<RegExp | undefined> {
    for (const { after, signal, delayMs = 0 } of signals) {
      while (!after.test(this.#output.stdout + this.#output.stderr)) {
        if (this.#child.exitCode !== null || this.#child.signalCode !== null) return after;
        await delay(hearEveryMs);
      }
      await delay(delayMs);
      this.#child.kill(signal);
    }
    return undefined;
  }
}

function commandOf(one: Try, { here }: Scratch): string[] {
  const command = [...verbspec, ...argumentsOf(one).map((word) => word.replaceAll('{here}', here))];
  if (one.as === undefined) return command;
  return ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', ...command];
}

/** No try may replace the results of the project. */
function argumentsOf({ args }: Try): readonly string[] {
  const [command = '', ...others] = args;
  return writers.includes(command) ? [command, '--out', 'out', ...others] : args;
}

function environmentOf({ env = {}, as }: Try, scratch: Scratch, cache: string): NodeJS.ProcessEnv {
  const { PATH = '' } = process.env;
  const usual: NodeJS.ProcessEnv = {
    PATH,
    HOME: scratch.home,
    TMPDIR: scratch.temporary,
    XDG_CACHE_HOME: as === undefined ? cache : join(scratch.home, '.cache'),
    JAVA_HOME: '/nonexistent', // the HTML takes long
    LANG: 'C.UTF-8',
  };
  const own = Object.entries(env).map(([name, value]) => [
    name,
    value?.replaceAll('{here}', scratch.here).replaceAll('{path}', PATH),
  ]);
  return { ...usual, ...(Object.fromEntries(own) as NodeJS.ProcessEnv) };
}

function codeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}
