import type { Dut } from '../contract';
import { complaintsOf, DutCrashed, DutHung, DutPanicked, HarnessError, type KernelComplaint } from '../contract';
import type { Backend } from '../pipeline/backend';
import { isRefusal } from '../pipeline/conventions';
import type { Program, ProgramRecord } from '../programs/program';
import { runProgram, type Patience } from '../programs/run-program';
import { SimBackend } from '../sim/backend';
import { soundParts } from '../sim/device/device';
import { foreignEvents } from './model/guided-events';
import { lastOf, upToDeadlyOp } from './deadly-op';
import { Ledger } from './model/looseness';
import { brokenAxiom } from './oracle/axioms';
import { crash, type Difference } from './oracle/difference';
import { foreseen } from './oracle/foreseen';
import { verdictOf } from './oracle/inclusion';
import { areOfKeptRegions, overrunKeepsRegion } from './oracle/kept-regions';
import { digestOf, firstDifference, leavesSome, relations, rewritten, sharesReceives } from './oracle/metamorphic';

/** What notices that a device is wrong. */
export type OracleName = 'axioms' | 'inclusion' | 'metamorphic' | 'broken call';

/** A program on which a device is wrong. */
export interface Finding {
  readonly program: Program;
  readonly records: readonly (ProgramRecord | undefined)[];
  readonly oracle: OracleName;
  readonly difference: Difference;
}

/** What was found of one program. */
export type Outcome =
  | {
      readonly kind: 'sound';
      readonly records: Finding['records'];
      /** The program as far as it was judged. */
      readonly judged: Program;
    }
  /** The finding may accuse the device rightly, or not. */
  | { readonly kind: 'inconclusive'; readonly finding: Finding }
  | { readonly kind: 'finding'; readonly finding: Finding };

/** Which oracles look at a program; all unless said otherwise. */
export interface ExplorerOptions {
  readonly oracles?: readonly OracleName[];
  /** Clauses that the device is known not to keep. */
  readonly excused?: ReadonlySet<string>;
  readonly patience?: Patience;
  /** Executes a program where the device is; without it, its calls are made one by one. */
  readonly execute?: Execute;
  /** Hears of each run what it came to. */
  readonly hear?: (run: Executed) => void;
}

/**
 * Executes a whole program on a device.
 *
 * @returns its records
 * @throws NotExecuted if the device made it do what it must not go on with, such as to poll in an open batch
 */
export type Execute = (program: Program) => Promise<Finding['records']>;

/** A program that a device has led to a call that is not made: nothing is said of the device. */
export class NotExecuted extends Error {
  /** @param once - records of a run after which another one went otherwise; they tell of the device if all of them is allowed */
  constructor(
    message: string,
    readonly once?: Finding['records'],
  ) {
    super(message);
  }
}

/** A program that was run on the device. */
export interface Executed extends Pick<Finding, 'program' | 'records'> {
  /** Whether records say over how many settles a call waited, and not only that it did. */
  readonly countsWaits: boolean;
}

/** What a request for a program ends with because of the device, or where it cannot be made on it. */
const saysOfDevice = [HarnessError, DutCrashed, DutHung, DutPanicked];

const all: readonly OracleName[] = ['axioms', 'inclusion', 'metamorphic'];

/** Runs programs on a device, and judges what they come to. */
export class Explorer {
  readonly ledger = new Ledger();
  readonly #oracles: ReadonlySet<OracleName>;
  readonly #excused: ReadonlySet<string>;

  constructor(
    readonly backend: Backend,
    readonly options: ExplorerOptions = {},
  ) {
    this.#oracles = new Set(options.oracles ?? all);
    this.#excused = options.excused ?? new Set();
  }

  get dut(): Dut {
    return this.backend.dut;
  }

  async examine(program: Program): Promise<Outcome> {
    let run: Executed | undefined;
    try {
      run = await this.#run(program);
    } catch (error) {
      const once = error instanceof NotExecuted ? error.once : undefined;
      const judged = once && (await this.#judge({ program, records: once, countsWaits: false }));
      return judged?.kind === 'sound' ? judged : this.#outcomeOf(program, error);
    }
    return run === undefined ? sound({ program: { ...program, ops: [] }, records: [] }) : this.#judge(run);
  }

  async #judge({ program, records, countsWaits }: Executed): Promise<Outcome> {
    const judged = foreseen({ program, records }, this.#excused);
    let leeway: string | undefined;
    const broken = this.#oracles.has('axioms') ? brokenAxiom(judged.records, this.#excused) : undefined;
    if (broken !== undefined) return found(program, records, 'axioms', broken);
    if (this.#oracles.has('inclusion')) {
      const observed = { records: judged.records, countsWaits };
      const verdict = await verdictOf(judged.program, observed, this.dut, this.ledger, this.#excused);
      if (verdict.kind === 'violation') return found(program, records, 'inclusion', verdict.difference);
      if (verdict.kind === 'inconclusive')
        return { ...found(program, records, 'inclusion', verdict.difference), kind: 'inconclusive' };
      // Which CQEs an overrun loses, or a known deviation changes, is not the same in another way to write the program.
      if (verdict.overran || verdict.isKnown) return sound(judged);
      leeway = verdict.leeway;
    }
    if (judged.endsFor !== undefined) {
      this.ledger.excuse(judged.endsFor);
      return sound(judged);
    }
    return this.#oracles.has('metamorphic') ? this.#compareRewritten(program, records, leeway) : sound(judged);
  }

  /** What it says of a device that a program cannot be run. @throws what says nothing of it */
  async #outcomeOf(program: Program, error: unknown): Promise<Outcome> {
    if (error instanceof NotExecuted) return notExecuted(program, error);
    // A simulator with a fault may throw anything; what runs programs elsewhere throws a TypeError by a defect of its own.
    const isOwnDefect = this.options.execute !== undefined && !saysOfDevice.some((kind) => error instanceof kind);
    if (isOwnDefect) throw error;
    if (error instanceof DutCrashed) return this.#crashOf(program, error);
    return { kind: 'finding', finding: brokenCall(program, error, this.#kernelComplaints()[0]?.line) };
  }

  /** A crash counts for the operation without which there is none, and with which there is one again: no record tells of it. */
  async #crashOf(program: Program, { message }: DutCrashed): Promise<Outcome> {
    const deadly = await upToDeadlyOp(program, (part) => this.#crashes(part));
    const isSure = await this.#crashes(deadly);
    const place = isSure ? lastOf(deadly) : { at: 0, verb: 'call' };
    const difference = { ...place, what: crash, expected: 'none', observed: message };
    return found(isSure ? deadly : program, [], 'broken call', difference);
  }

  async #crashes(program: Program): Promise<boolean> {
    try {
      await this.#executed(program);
      return false;
    } catch (error) {
      return error instanceof DutCrashed;
    }
  }

  /** What the kernel of the device has complained of since the last call, if it has one. */
  #kernelComplaints(): readonly KernelComplaint[] {
    return complaintsOf(this.backend.kernelLog?.() ?? '', this.backend.kernelModules);
  }

  /**
   * @returns nothing if all that can be said of the run is that the kernel complains as it is known to
   * @throws DutPanicked if the kernel of the device complains otherwise of the program, whatever its calls come to
   */
  async #run(program: Program): Promise<Executed | undefined> {
    const executed = await this.#executed(program);
    const complaints = this.#kernelComplaints();
    const [complaint] = complaints;
    if (complaint !== undefined) {
      const isKnown = await areOfKeptRegions(complaints, executed, this.dut, this.#excused);
      if (!isKnown) throw new DutPanicked(`the kernel of the device complains: ${complaint.line}`);
      this.ledger.excuse(overrunKeepsRegion);
      return undefined;
    }
    this.options.hear?.(executed);
    return executed;
  }

  async #executed(program: Program): Promise<Executed> {
    const { patience, execute } = this.options;
    if (execute !== undefined) return { program, records: await execute(program), countsWaits: false };
    const run = await runProgram(this.backend, program, patience === undefined ? {} : { patience });
    await this.backend.end();
    return { program, records: run.records, countsWaits: patience === undefined };
  }

  /**
   * One of the other ways to write the program comes to the same.
   *
   * @param leeway - what the device made use of in the run of the program, if that is known
   */
  async #compareRewritten(program: Program, records: Finding['records'], leeway?: string): Promise<Outcome> {
    const ways = relations.flatMap((relation) => {
      const other = rewritten(program, relation);
      return other === undefined ? [] : [{ relation, other }];
    });
    const way = ways[program.ops.length % Math.max(1, ways.length)];
    const isPair = !leavesSome(program, records) && !sharesReceives(program) && !isNotOfPair(records);
    if (way === undefined || !isPair) return sound({ program, records });
    // What the sound simulator does not do in the same way is no pair.
    const expected = await digestOn(new SimBackend(soundParts), way.other);
    if (expected !== (await digestOn(new SimBackend(soundParts), program))) return sound({ program, records });
    let run: Executed | undefined;
    try {
      run = await this.#run(way.other);
    } catch (error) {
      if (error instanceof NotExecuted && error.once !== undefined) return sound({ program, records });
      return this.#outcomeOf(way.other, error);
    }
    if (run === undefined) return sound({ program, records });
    const judged = foreseen({ program: way.other, records: run.records }, this.#excused);
    if (judged.endsFor !== undefined || isNotOfPair(run.records)) return sound({ program, records });
    const [one, other] = [digestOf(program, records), digestOf(way.other, run.records)];
    if (one === other || (leeway !== undefined && (await this.#hasOtherLeeway(run, leeway))))
      return sound({ program, records });
    return found(program, records, 'metamorphic', { at: 0, verb: way.relation.name, ...firstDifference(one, other) });
  }

  /** Whether a run is allowed as well, for what its device may do otherwise. */
  async #hasOtherLeeway({ program, records, countsWaits }: Executed, leeway: string): Promise<boolean> {
    const verdict = await verdictOf(program, { records, countsWaits }, this.dut, new Ledger(), this.#excused);
    return verdict.kind === 'explained' && (verdict.overran || verdict.isKnown || verdict.leeway !== leeway);
  }
}

/** Whether it says nothing of the other way to write a program: by what happened outside, or by requests that were refused. */
const isNotOfPair = (records: Finding['records']): boolean => hasForeignEvent(records) || records.some(refusesWork);

/** What stands behind a request that is refused is not done, however it is written. */
const refusesWork = (record: Finding['records'][number]): boolean =>
  record?.outputs.badWr !== undefined && isRefusal(record.verb, record.returned);

/** Whether a call came back for what happened outside of the program: then, of two ways to write it, one may wait for more. */
function hasForeignEvent(records: Finding['records']): boolean {
  return records.some((record) => foreignEvents.has(record?.outputs.eventType));
}

function sound({ program, records }: Pick<Finding, 'program' | 'records'>): Outcome {
  return { kind: 'sound', records, judged: program };
}

async function digestOn(backend: Backend, program: Program): Promise<string> {
  return digestOf(program, (await runProgram(backend, program)).records);
}

function found(program: Program, records: Finding['records'], oracle: OracleName, difference: Difference) {
  return { kind: 'finding' as const, finding: { program, records, oracle, difference } };
}

function notExecuted(program: Program, error: NotExecuted): Outcome {
  return { ...found(program, [], 'broken call', differenceOfCall(error)), kind: 'inconclusive' };
}

/** A call that could not be made on the device although it could on the model: an object has ended that should not have. */
function brokenCall(program: Program, error: unknown, complaint: string | undefined): Finding {
  if (!(error instanceof Error) || (error instanceof HarnessError && error.name !== 'HarnessError')) throw error;
  const difference = differenceOfCall(error);
  const told = complaint === undefined ? difference : { ...difference, observed: `${error.message}: ${complaint}` };
  return { program, records: [], oracle: 'broken call', difference: told };
}

function differenceOfCall(error: Error): Difference {
  const observed = error.message;
  if (error instanceof DutPanicked) return { at: 0, verb: 'kernel', what: 'complaint', expected: 'none', observed };
  return { at: 0, verb: 'call', what: 'call', expected: 'can be made', observed };
}

/** Whether two findings are taken for one: the same oracle, function and member. */
export function keyOf({ oracle, difference: { verb, what } }: Pick<Finding, 'oracle' | 'difference'>): string {
  return `${oracle} ${verb} ${what.replace(/\d+/g, '*')}`;
}
