import { join } from 'node:path';
import { examplesOf } from '../../drivers/explore/examples';
import { cellsReachedBy } from '../../drivers/explore/coverage/reached-by';
import { Aim } from '../../drivers/explore/generate/aim';
import { keyOf, type Explorer, type Finding } from '../../drivers/explore/explorer';
import { shrink } from '../../drivers/explore/shrink/shrink';
import { makesSense } from '../../drivers/explore/sound';
import { callsOf, type Program } from '../../drivers/programs/program';
import { makeFolder } from '../../drivers/support/files';
import { suiteVersion } from '../common/project';
import { writeTo } from '../out/write-file';
import { writeBeside } from './emit/write-beside';
import { findingText } from './finding-file';
import { programAt, type Around } from './programs';

/** Programs that a corpus has at most; more would be replayed for too long. */
const corpusMax = 200;

/** Milliseconds from one line about progress to the next. */
const progressMs = 10_000;

/** Findings that are alike: so many are looked for before a device counts as known to be wrong. */
const findingsMax = 25;

export interface SessionOptions {
  readonly driver: string;
  readonly seed: number;
  /** Where findings are written. */
  readonly folder: string;
  readonly corpus?: string;
  /** Milliseconds that a finding is made smaller for at most; without end unless given. */
  readonly shrinkMs?: number;
  /** Whether account is kept of the cells that programs reach. */
  readonly countsCells?: boolean;
  readonly say: (line: string) => void;
}

/** How much is to be done. */
export interface Limit {
  readonly programs: number;
  readonly seconds: number;
}

/** Programs that are run one after another, and what is found; each finding is written down as soon as it is there. */
export class Session {
  readonly findings: Finding[] = [];
  programs = 0;
  calls = 0;
  inconclusive = 0;
  /** Programs on which the device did what it may. */
  sound = 0;
  /** The cells that these have reached. */
  readonly cells = new Set<string>();
  readonly #aim = new Aim();
  #isStopped = false;
  readonly #startedMs = performance.now();
  #toldMs = this.#startedMs;
  readonly #keys = new Set<string>();
  readonly #examples = new Set<string>();

  constructor(
    readonly explorer: Explorer,
    readonly options: SessionOptions,
  ) {}

  get seconds(): number {
    return (performance.now() - this.#startedMs) / 1000;
  }

  /** What there is to say of all programs, as it is written to a file. */
  summary(): string {
    const { driver, seed } = this.options;
    const { programs, calls, inconclusive, findings } = this;
    const { hcaId, provider } = this.explorer.dut;
    const known = Object.fromEntries(this.explorer.ledger.excused);
    const counts = { programs, calls, inconclusive, findings: findings.length, known };
    return `${JSON.stringify({ schemaVersion: 1, suite: suiteVersion(), driver, device: { hcaId, provider }, seed, ...counts })}\n`;
  }

  /** Ends as soon as the program that is being run has ended. */
  stop(): void {
    this.#isStopped = true;
  }

  async explore(corpus: readonly Program[], around: Around, limit: Limit): Promise<void> {
    const programs = [...corpus];
    for (const program of corpus) if (!this.#isOver(limit)) await this.#examine(program);
    for (let index = 0; !this.#isOver(limit); index++) {
      const { seed } = this.options;
      const program = await programAt(seed, index, this.explorer.dut, { ...around, aim: this.#aim }, programs);
      const isNew = await this.#examine(program);
      if (isNew && programs.length < corpusMax) this.#keep(program, programs);
      this.#tellProgress();
    }
  }

  /** Runs one program, and makes it smaller if that is asked for. */
  async one(program: Program, isMinimised: boolean): Promise<void> {
    await this.#examine(program, isMinimised);
    if (isMinimised && this.findings.length === 0)
      this.options.say('the program shows nothing wrong, so there is nothing to make smaller');
  }

  #isOver({ programs, seconds }: Limit): boolean {
    return (
      this.#isStopped || this.programs >= programs || this.seconds >= seconds || this.findings.length >= findingsMax
    );
  }

  /** @returns whether it did something that none before has done */
  async #examine(program: Program, isMinimised = true): Promise<boolean> {
    this.programs += 1;
    this.calls += callsOf(program).length;
    const outcome = await this.explorer.examine(program);
    if (outcome.kind === 'inconclusive') this.inconclusive += 1;
    if (outcome.kind === 'finding') await this.#find(outcome.finding, isMinimised);
    if (outcome.kind !== 'sound') return false;
    this.sound += 1;
    if (this.options.countsCells === true) for (const cell of await cellsReachedBy(program)) this.cells.add(cell);
    return this.#seeExamples(outcome.records);
  }

  #seeExamples(records: Finding['records']): boolean {
    const before = this.#examples.size;
    for (const example of examplesOf(records)) this.#examples.add(example);
    return this.#examples.size > before;
  }

  async #find(finding: Finding, isMinimised: boolean): Promise<void> {
    const key = keyOf(finding);
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    const { small, isLate } = isMinimised ? await this.#smaller(finding, key) : { small: finding, isLate: false };
    this.findings.push(small);
    const { driver, seed, folder, shrinkMs = Infinity } = this.options;
    const path = join(folder, `finding-${this.findings.length}.json`);
    const text = findingText(small, { driver, seed, dut: this.explorer.dut, original: finding.program });
    writeTo(path, text);
    await writeBeside(path, text, this.options.say);
    this.options.say(
      `found: ${key}, in ${callsOf(finding.program).length} calls, made smaller to ${callsOf(small.program).length}${isLate ? `, for which the ${shrinkMs / 1000} s were up; --minimise goes on` : ''}`,
    );
  }

  /** The smallest program that shows the same, and whether the time was up before all was tried. */
  async #smaller(finding: Finding, key: string): Promise<{ readonly small: Finding; readonly isLate: boolean }> {
    const endMs = performance.now() + (this.options.shrinkMs ?? Infinity);
    let isLate = false;
    let smallest = finding;
    const stillFails = async (program: Program): Promise<boolean> => {
      if (!(await makesSense(program))) return false;
      const outcome = await this.explorer.examine(program);
      if (outcome.kind !== 'finding' || keyOf(outcome.finding) !== key) return false;
      smallest = outcome.finding;
      return true;
    };
    await shrink(finding.program, stillFails, () => {
      isLate ||= performance.now() >= endMs;
      return isLate || this.#isStopped;
    });
    return { small: smallest, isLate };
  }

  /** A corpus holds what does something new. */
  #keep(program: Program, programs: Program[]): void {
    programs.push(program);
    const { corpus } = this.options;
    if (corpus === undefined) return;
    makeFolder(corpus);
    writeTo(join(corpus, `${program.seed}.json`), `${JSON.stringify(program)}\n`);
  }

  #tellProgress(): void {
    const now = performance.now();
    if (now - this.#toldMs < progressMs) return;
    this.#toldMs = now;
    this.options.say(`${this.programs} programs, ${this.findings.length} findings, ${this.seconds.toFixed(0)} s`);
  }
}
