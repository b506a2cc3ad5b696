import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { keyOf, type Explorer, type Finding } from '../../drivers/explore/explorer';
import { shrink } from '../../drivers/explore/shrink/shrink';
import { countedTrials, failsAtRate, runsAgain, type Trials } from '../../drivers/explore/shrink/trials';
import { makesSense } from '../../drivers/explore/sound';
import { callsOf, type Program } from '../../drivers/programs/program';
import { writeTo } from '../out/write-file';
import { writeBeside } from './emit/write-beside';
import { findingText, type FoundOn } from './finding-file';
import type { Progress } from './progress';

/** How findings are confirmed, made smaller and written. */
export interface FindingOptions {
  readonly driver: string;
  readonly seed: number;
  /** Where findings are written. */
  readonly folder: string;
  /** Milliseconds that a finding is made smaller for at most; without end unless given. */
  readonly shrinkMs?: number;
  /** Whether the device may do otherwise when a program is run again: what it shows once only is no finding. */
  readonly isUnsteady?: boolean;
  readonly say: (line: string) => void;
}

/** What was found on a device; each finding is written down as soon as it is there. */
export class Findings {
  readonly all: Finding[] = [];
  /** Programs on which the device was wrong once, and not when they were run again. */
  unrepeated = 0;
  readonly #keys = new Set<string>();
  /** How often programs were run for what is looked into. */
  #runs = 0;
  /** What was seen on one program, once. */
  readonly #keysOnce = new Set<string>();

  constructor(
    readonly explorer: Explorer,
    readonly options: FindingOptions,
    readonly progress: Progress,
    readonly isStopped: () => boolean,
  ) {}

  /** Writes a finding down, smaller if that is asked for, unless one like it is there. */
  async add(finding: Finding, isMinimised: boolean): Promise<void> {
    const key = keyOf(finding);
    if (this.#keys.has(key)) return;
    this.#runs = 0;
    const name = `finding-${this.all.length + 1}.json`;
    // Should the device be lost from now on, this is there.
    this.#writeData(name, finding, { original: finding.program });
    const again = await this.#again(finding, key);
    if (again?.failed === 0 && !this.#keysOnce.has(key)) {
      rmSync(join(this.options.folder, name));
      return this.#keepOnce(finding, key, again);
    }
    this.#keys.add(key);
    const rate = again === undefined ? 1 : (again.failed + 1) / (again.runs + 1);
    const { smallest, isLate } = isMinimised
      ? await this.#smaller(finding, key, rate)
      : { smallest: finding, isLate: false };
    const counted = await this.#tried(() => countedTrials(() => this.#shows(smallest.program, key)));
    // Luck has made it too small: the finding is what was seen more than once.
    const isTooSmall = counted?.failed === 0 && smallest !== finding && again !== undefined;
    const small = isTooSmall ? finding : smallest;
    const trials = isTooSmall ? withFirst(again) : counted;
    this.all.push(small);
    await this.#write(name, small, { original: finding.program, trials });
    const { shrinkMs = Infinity } = this.options;
    const late = isLate ? `, for which the ${shrinkMs / 1000} s were up; --minimise goes on` : '';
    const often = trials === undefined ? '' : `; seen in ${trials.failed} of ${trials.runs} runs`;
    this.options.say(
      `found: ${key}, in ${callsOf(finding.program).length} calls, made smaller to ${callsOf(small.program).length}${late}${often}`,
    );
  }

  /** Writes down, as it is, what is no finding. */
  keep(name: string, finding: Finding): void {
    this.#writeData(name, finding, { original: finding.program });
  }

  get #isUnsteady(): boolean {
    return this.options.isUnsteady === true;
  }

  /** How often the device is wrong on the same program again, if it need not do the same each time. */
  async #again({ program }: Finding, key: string): Promise<Trials | undefined> {
    return this.#tried(() => runsAgain(() => this.#shows(program, key)));
  }

  /** What comes of trials on a device that is unsteady; when the user stops them, they say nothing. */
  async #tried(trials: () => Promise<Trials>): Promise<Trials | undefined> {
    if (!this.#isUnsteady || this.isStopped()) return undefined;
    const made = await trials();
    return this.isStopped() ? undefined : made;
  }

  /** What is seen once may be the machine's doing; seen on another program as well, it is a finding. */
  async #keepOnce(finding: Finding, key: string, again: Trials): Promise<void> {
    this.#keysOnce.add(key);
    this.unrepeated += 1;
    const file = `once-${this.unrepeated}.json`;
    await this.#write(file, finding, { original: finding.program, trials: withFirst(again) });
    this.options.say(`seen once, and not again in ${again.runs} runs: ${key}, kept in ${file}`);
  }

  async #write(name: string, finding: Finding, more: Pick<FoundOn, 'original' | 'trials'>): Promise<void> {
    const text = this.#writeData(name, finding, more);
    await writeBeside(join(this.options.folder, name), text, this.options.say);
  }

  #writeData(name: string, finding: Finding, more: Pick<FoundOn, 'original' | 'trials'>): string {
    const { driver, seed, folder } = this.options;
    const text = findingText(finding, { driver, seed, dut: this.explorer.dut, ...more });
    writeTo(join(folder, name), text);
    return text;
  }

  async #shows(program: Program, key: string, see?: (finding: Finding) => void): Promise<boolean> {
    if (this.isStopped()) return false;
    this.#runs += 1;
    this.progress.tell(() => `looking into ${key}: run ${this.#runs}, of ${callsOf(program).length} calls`);
    const outcome = await this.explorer.examine(program);
    if (outcome.kind !== 'finding' || keyOf(outcome.finding) !== key) return false;
    see?.(outcome.finding);
    return true;
  }

  /** The smallest program that shows the same about as often, and whether the time was up before all was tried. */
  async #smaller(
    finding: Finding,
    key: string,
    rate: number,
  ): Promise<{ readonly smallest: Finding; readonly isLate: boolean }> {
    const endMs = performance.now() + (this.options.shrinkMs ?? Infinity);
    let isLate = false;
    let smallest = finding;
    const stillFails = async (program: Program): Promise<boolean> => {
      if (!(await makesSense(program))) return false;
      let seen = smallest;
      const isSeen = await failsAtRate(rate, () => this.#shows(program, key, (one) => (seen = one)));
      if (isSeen) smallest = seen;
      return isSeen;
    };
    await shrink(finding.program, stillFails, () => {
      isLate ||= performance.now() >= endMs;
      return isLate || this.isStopped();
    });
    return { smallest, isLate };
  }
}

/** Trials of a program again, with the run before them in which it failed. */
function withFirst({ runs, failed }: Trials): Trials {
  return { runs: runs + 1, failed: failed + 1 };
}
