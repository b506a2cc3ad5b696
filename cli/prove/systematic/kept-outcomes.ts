import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../../drivers/support/cache';
import { readTextFile } from '../../../drivers/support/files';
import type { SystematicOutcome } from './systematic-job';

interface Line {
  readonly key: string;
  readonly fault: string;
  readonly outcome: SystematicOutcome;
}

/** Outcomes that have come, so that a run that was interrupted goes on where it was, as long as nothing has changed. */
export class KeptOutcomes {
  readonly #path: string;

  /** @param key - of all that decides: outcomes under another key do not count, and go */
  constructor(
    readonly key: string,
    folder: string = cacheFolder('proof'),
  ) {
    mkdirSync(folder, { recursive: true });
    this.#path = join(folder, 'systematic.jsonl');
  }

  /** What is known, by fault; a line that a kill has cut off is not. */
  read(): ReadonlyMap<string, SystematicOutcome> {
    const lines = this.#lines().filter(({ key }) => key === this.key);
    if (lines.length === 0) writeFileSync(this.#path, '');
    return new Map(lines.map(({ fault, outcome }) => [fault, outcome]));
  }

  add(fault: string, outcome: SystematicOutcome): void {
    appendFileSync(this.#path, `${JSON.stringify({ key: this.key, fault, outcome } satisfies Line)}\n`);
  }

  #lines(): readonly Line[] {
    try {
      return readTextFile(this.#path, keptBytesMax).split('\n').flatMap(lineIn);
    } catch {
      return [];
    }
  }
}

/** Some 200 bytes a fault. */
const keptBytesMax = 16 * 1024 * 1024;

function lineIn(text: string): Line[] {
  try {
    const { key, fault, outcome } = JSON.parse(text) as Partial<Line>;
    return key !== undefined && fault !== undefined && outcome !== undefined ? [{ key, fault, outcome }] : [];
  } catch {
    return [];
  }
}
