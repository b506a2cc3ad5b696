import { join } from 'node:path';
import { capabilities, type Capability } from '../../drivers/contract';
import { examplesOf } from '../../drivers/explore/examples';
import { cellsReachedBy } from '../../drivers/explore/coverage/reached-by';
import { Aim } from '../../drivers/explore/generate/aim';
import type { Explorer, Finding } from '../../drivers/explore/explorer';
import { callsOf, type Program } from '../../drivers/programs/program';
import { makeFolder } from '../../drivers/support/files';
import { suiteVersion } from '../common/project';
import { writeTo } from '../out/write-file';
import { Findings, type FindingOptions } from './findings';
import { programAt, type Course } from './programs';
import { Progress } from './progress';

/** Programs that a corpus has at most; more would be replayed for too long. */
const corpusMax = 200;

/** Findings that are alike: so many are looked for before a device counts as known to be wrong. */
const findingsMax = 25;

export interface SessionOptions extends FindingOptions {
  readonly corpus?: string;
  /** Whether account is kept of the cells that programs reach. */
  readonly countsCells?: boolean;
  /** Milliseconds from one line about progress to the next; ten seconds unless given. */
  readonly progressMs?: number;
}

/** How much is to be done. */
export interface Limit {
  readonly programs: number;
  readonly seconds: number;
}

/** Programs that are run one after another, and what is found; each finding is written down as soon as it is there. */
export class Session {
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
  readonly #progress: Progress;
  readonly #found: Findings;
  readonly #examples = new Set<string>();

  constructor(
    readonly explorer: Explorer,
    readonly options: SessionOptions,
  ) {
    this.#progress = new Progress(options.say, options.progressMs);
    this.#found = new Findings(explorer, options, this.#progress, () => this.#isStopped);
  }

  get findings(): readonly Finding[] {
    return this.#found.all;
  }

  /** Programs on which the device was wrong once, and not when they were run again. */
  get unrepeated(): number {
    return this.#found.unrepeated;
  }

  /** What the device has not shown: no program asks for it, also where only a defect has kept it back. */
  get lacks(): readonly Capability[] {
    const shown = new Set(this.explorer.dut.capabilities);
    return capabilities.filter((one) => !shown.has(one));
  }

  get seconds(): number {
    return (performance.now() - this.#startedMs) / 1000;
  }

  /** What there is to say of all programs, as it is written to a file. */
  summary(): string {
    const { driver, seed } = this.options;
    const { programs, calls, inconclusive, unrepeated, findings, lacks } = this;
    const { hcaId, provider } = this.explorer.dut;
    const known = Object.fromEntries(this.explorer.ledger.excused);
    const counts = { programs, calls, inconclusive, unrepeated, findings: findings.length, known, lacks };
    return `${JSON.stringify({ schemaVersion: 1, suite: suiteVersion(), driver, device: { hcaId, provider }, seed, ...counts })}\n`;
  }

  /** Ends as soon as the program that is being run has ended. */
  stop(): void {
    this.#isStopped = true;
  }

  async explore(corpus: readonly Program[], around: Omit<Course, 'aim'>, limit: Limit): Promise<void> {
    const programs = [...corpus];
    const { seed } = this.options;
    const course = { avoided: around.avoided, sizes: around.sizes, aim: this.#aim };
    for (const program of corpus) if (!this.#isOver(limit)) await this.#examine(program);
    for (let index = 0; !this.#isOver(limit); index++) {
      const program = await programAt(seed, index, this.explorer.dut, course, programs);
      const isNew = await this.#examine(program);
      if (isNew && programs.length < corpusMax) this.#keep(program, programs);
      this.#progress.tell(
        () => `${this.programs} programs, ${this.findings.length} findings, ${this.seconds.toFixed(0)} s`,
      );
    }
  }

  /** Runs one program, and makes it smaller if that is asked for. */
  async one(program: Program, isMinimised: boolean): Promise<void> {
    await this.#examine(program, isMinimised);
    if (isMinimised && this.findings.length + this.unrepeated === 0)
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
    if (outcome.kind === 'inconclusive') this.#keepInconclusive(outcome.finding);
    if (outcome.kind === 'finding') await this.#found.add(outcome.finding, isMinimised);
    if (outcome.kind !== 'sound') return false;
    this.sound += 1;
    if (this.options.countsCells === true)
      for (const cell of await cellsReachedBy(outcome.judged)) this.cells.add(cell);
    return this.#seeExamples(outcome.records);
  }

  /** Too many ways are open to the device to try them all: who wants to know more can run the program again. */
  #keepInconclusive(finding: Finding): void {
    this.inconclusive += 1;
    this.#found.keep(`inconclusive-${this.inconclusive}.json`, finding);
  }

  #seeExamples(records: Finding['records']): boolean {
    const before = this.#examples.size;
    for (const example of examplesOf(records)) this.#examples.add(example);
    return this.#examples.size > before;
  }

  /** A corpus holds what does something new. */
  #keep(program: Program, programs: Program[]): void {
    programs.push(program);
    const { corpus } = this.options;
    if (corpus === undefined) return;
    makeFolder(corpus);
    writeTo(join(corpus, `${program.seed}.json`), `${JSON.stringify(program)}\n`);
  }
}
