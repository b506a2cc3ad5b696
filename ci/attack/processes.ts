import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { processesWith, type LivingProcess } from '../../cli/fixtures/processes';

const lookEveryMs = 50;

/** What marks every process that a try starts, whoever its parent is. */
export class ProcessMark {
  static readonly #variable = 'VERBSPEC_TEST_MARK';
  readonly #value = `${process.pid}-${Math.random()}`;

  get environment(): Readonly<Record<string, string>> {
    return { [ProcessMark.#variable]: this.#value };
  }

  living(): LivingProcess[] {
    return processesWith(`${ProcessMark.#variable}=${this.#value}`);
  }

  /** Waits for the end of all; a killed process may take a moment. @returns the names of those left */
  async leftAfter(patienceMs: number): Promise<string[]> {
    for (let waitedMs = 0; waitedMs < patienceMs && this.living().length > 0; waitedMs += lookEveryMs)
      await delay(lookEveryMs);
    return this.living().map(({ name }) => name);
  }

  killAll(): void {
    for (const { pid } of this.living()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }

  /** MiB that the one which needs most has needed so far. */
  peakMiB(): number {
    return Math.max(0, ...this.living().map(({ pid }) => peakOf(pid)));
  }
}

function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
