import type { Dut } from '../../contract';
import type { Program } from '../../programs/program';
import { callsOf, isPort } from '../../programs/program';
import { runProgram, type ProgramRun } from '../../programs/run-program';
import type { Cqe } from '../../sim/cq/cq';
import { GuidedBackend } from '../model/guided-backend';
import { Guide, toldSendsMax, type Choice, type ChoicePoint, type Observation, type Schedule } from '../model/guide';
import { Ledger } from '../model/looseness';
import { differenceOf } from './compare';
import type { Difference } from './difference';

/** What the model says of an observation. */
export type Verdict =
  | {
      readonly kind: 'explained';
      readonly executions: number;
      /** Whether a CQ had no room. */
      readonly overran: boolean;
      /** Whether completions were others than those of the simulator, as the device is known to give them. */
      readonly isKnown: boolean;
      /** What was made use of, of all that a device may do otherwise: two runs with the same leeway come to the same. */
      readonly leeway: string;
    }
  /** No way in which the model can run gives this. */
  | { readonly kind: 'violation'; readonly executions: number; readonly difference: Difference }
  /** There are more ways than were tried. */
  | { readonly kind: 'inconclusive'; readonly executions: number; readonly difference: Difference };

/** Ways of the model that are tried for one observation. */
const executionsMax = 2000;

/** Most steps that one choice lets happen out of those that are pending; each may bring others about. */
const stepsMax = 4;

const steps: readonly Choice[] = Array.from({ length: stepsMax }, (_, index) => index + 1);

/** The rooms that CQs may have beyond their cqe member: none, one entry, or as much again and two. */
const spares = [() => 0, () => 1, (cqe: number) => cqe + 2] as const;

const flushed = ({ wc }: Cqe): boolean => wc.status === 'IBV_WC_WR_FLUSH_ERR';

/**
 * Which failed CQEs a device may take for unsolicited that is known to: none, those of sends, and of receives some or all,
 * perhaps without those whose message was solicited.
 */
const silences = [
  () => false,
  ({ queue }: Cqe) => queue === 'send',
  (cqe: Cqe) => cqe.queue === 'send' || !(flushed(cqe) || cqe.solicitedEvent),
  (cqe: Cqe) => cqe.queue === 'send' || !cqe.solicitedEvent,
  (cqe: Cqe) => cqe.queue === 'send' || !flushed(cqe),
  (cqe: Cqe) => cqe.queue === 'send' || flushed(cqe),
  () => true,
] as const satisfies readonly Schedule['isSilent'][];

/** Of which types of QPs a device fails receives that are too short, where it should drop what they are for. */
const shortReceives = [
  [],
  ['IBV_QPT_UC', 'IBV_QPT_UD'],
  ['IBV_QPT_UC'],
  ['IBV_QPT_UD'],
] as const satisfies readonly Schedule['failsShort'][];

interface Explained {
  readonly difference: Difference | undefined;
  readonly guide: Guide;
  /** What the model has done. */
  readonly outcome: string;
}

/** A way that is to be tried, and how far the one that it comes from explains what was observed. */
interface Candidate {
  readonly schedule: Schedule;
  readonly explained: number;
  readonly changes: number;
}

/** All that is pending happens before each call. */
export const usual: Schedule = {
  choices: new Map<number, Choice>(),
  isLazy: false,
  spare: spares[0],
  isWithinCqe: false,
  preferred: undefined,
  ignoresUnreached: false,
  takesOtherQkeys: false,
  failsShort: [],
  dropsViolations: false,
  limitsAtOnce: false,
  carriesOutFirst: false,
  holdsBatches: false,
  failsAtOverrun: 0,
  failsAllAtOverrun: false,
  flushesAtOnce: false,
  deliversFlushed: 0,
  flushesDone: new Map<number, number>(),
  holdsUnbegun: false,
  keptSends: new Set<number>(),
  waitsForEvents: false,
  triesLate: new Set<number>(),
  overtaken: 0,
  isSilent: silences[0],
};

/** Whether the simulator, taken as a transition system with hidden steps, allows what a device was observed to do. */
export async function verdictOf(
  program: Program,
  run: Pick<ProgramRun, 'records'> & { readonly countsWaits?: boolean },
  dut: Dut,
  ledger = new Ledger(),
  excused: ReadonlySet<string> = new Set(),
): Promise<Verdict> {
  const observation = {
    calls: callsOf(program),
    records: run.records,
    capabilities: dut.capabilities,
    ...(program.ops.some(isPort) && { movedPort: dut.port.portNum }),
    excused,
    countsWaits: run.countsWaits !== false,
  };
  return new Search(program, observation, ledger).run();
}

/** A way in which the model does what was observed. */
interface Way {
  readonly schedule: Schedule;
  readonly guide: Guide;
  readonly ledger: Ledger;
}

class Search {
  readonly #tried = new Set<string>();
  readonly #waiting: Candidate[] = [{ schedule: usual, explained: -1, changes: 0 }];
  readonly #outcomes = new Set<string>();
  #best: Difference | undefined;
  #executions = 0;

  constructor(
    readonly program: Program,
    readonly observation: Observation,
    readonly ledger: Ledger,
  ) {}

  async run(): Promise<Verdict> {
    for (let next = this.#next(); next !== undefined && this.#executions < executionsMax; next = this.#next()) {
      this.#executions += 1;
      const ledger = new Ledger();
      const explained = await explain(this.program, this.observation, next.schedule, ledger);
      if (explained.difference === undefined) {
        const way = { schedule: next.schedule, guide: explained.guide, ledger };
        return this.#explainedBy((await this.#ifAllGoOn(way)) ?? way);
      }
      this.#see(explained.difference);
      // A choice that changes nothing until there changes nothing beside others either.
      if (this.#outcomes.has(explained.outcome)) continue;
      this.#outcomes.add(explained.outcome);
      this.#extend(next, explained.guide, explained.difference.at);
    }
    const difference = this.#best;
    if (difference === undefined) throw new Error('nothing was tried');
    const kind = this.#waiting.length > 0 ? 'inconclusive' : 'violation';
    return { kind, executions: this.#executions, difference };
  }

  #explainedBy({ schedule, guide, ledger }: Way): Verdict {
    this.ledger.add(ledger);
    const isKnown = ledger.excused.some(([clause]) => !clause.startsWith('ibv_get_async_event'));
    const leeway = leewayOf(schedule, ledger);
    return { kind: 'explained', executions: this.#executions, overran: guide.sawOverrun, isKnown, leeway };
  }

  /** The same way for a device that gives up no send: that it did so must show, or it is not known to have done it. */
  async #ifAllGoOn({ schedule, guide }: Way): Promise<Way | undefined> {
    const kept = { ...schedule, keptSends: new Set(allSends) };
    if (guide.givenUp === 0 || this.#tried.has(keyOf(kept))) return undefined;
    this.#executions += 1;
    const ledger = new Ledger();
    const explained = await explain(this.program, this.observation, kept, ledger);
    return explained.difference === undefined ? { schedule: kept, guide: explained.guide, ledger } : undefined;
  }

  /** The way that explains most is reported: of those the first. */
  #see(difference: Difference): void {
    if (this.#best === undefined || difference.at > this.#best.at) this.#best = difference;
  }

  #next(): Candidate | undefined {
    let best = 0;
    for (const [index, candidate] of this.#waiting.entries())
      if (isBetter(candidate, this.#waiting[best])) best = index;
    return this.#waiting.splice(best, 1)[0];
  }

  /** Only choices before the difference can explain it, and only those after the last at which all was known. */
  #extend({ schedule, changes }: Candidate, guide: Guide, at: number): void {
    if (changes === 0 && guide.points.some((point) => point.at <= at))
      this.#propose({ ...schedule, isLazy: true }, at, changes + 1);
    for (const way of otherWays(schedule, guide)) this.#propose({ ...schedule, ...way }, at, changes);
    for (const point of guide.points.filter((one) => one.at <= at).reverse()) {
      if (schedule.choices.has(point.at)) continue;
      for (const choice of choicesAt(point, schedule)) {
        this.#propose({ ...schedule, choices: new Map(schedule.choices).set(point.at, choice) }, at, changes + 1);
      }
    }
  }

  #propose(schedule: Schedule, explained: number, changes: number): void {
    const key = keyOf(schedule);
    if (this.#tried.has(key)) return;
    this.#tried.add(key);
    this.#waiting.push({ schedule, explained, changes });
  }
}

/** What a device may do otherwise throughout, of which the model has met the occasion. */
function otherWays(schedule: Schedule, guide: Guide): readonly Partial<Schedule>[] {
  const ways: Partial<Schedule>[] = [];
  if (guide.sawSmall) ways.push({ isWithinCqe: true });
  if (guide.sawHeld) ways.push({ holdsBatches: true });
  if (guide.sawOverrun) ways.push({ failsAtOverrun: 1 }, { failsAllAtOverrun: true });
  if (guide.lostReceives > 1) ways.push({ failsAtOverrun: 2 });
  if (guide.sawOverrun) ways.push(...spares.map((spare) => ({ spare })));
  if (guide.sawUnreached) ways.push({ ignoresUnreached: true });
  if (guide.sawOtherQkey) ways.push({ takesOtherQkeys: true });
  if (guide.sawLateEvent) ways.push({ waitsForEvents: true });
  for (const qpNum of guide.waited) ways.push({ triesLate: toggled(schedule.triesLate, qpNum) });
  const delivered = upTo(guide.mostUnheard);
  for (const overtaken of guide.overtakable)
    ways.push(...delivered.map((deliversFlushed) => ({ overtaken, deliversFlushed })));
  if (guide.sawWorkAtError)
    ways.push(...delivered.map((deliversFlushed) => ({ flushesAtOnce: true, deliversFlushed })));
  for (const [qpNum, most] of guide.unheardAnswers.most)
    ways.push(...upTo(most).map((count) => ({ flushesDone: new Map(schedule.flushesDone).set(qpNum, count) })));
  if (guide.sawUnbegun) ways.push({ holdsUnbegun: true });
  if (guide.sawShort) ways.push(...shortReceives.map((failsShort) => ({ failsShort })));
  if (guide.sawViolation) ways.push({ dropsViolations: true });
  if (guide.sawHighLimit) ways.push({ limitsAtOnce: true });
  if (guide.sawUnanswerable) ways.push({ carriesOutFirst: true });
  if (guide.sawTie && schedule.preferred === undefined)
    ways.push({ preferred: 'send' }, { preferred: 'receive' }, { preferred: 'last' });
  ways.push(...otherKeptSends(schedule, guide));
  // Which of these it is shows at times only beside another choice.
  if (guide.sawSilent) ways.push(...silences.map((isSilent) => ({ isSilent })));
  return ways;
}

/** No send, one, and so on, and all. */
const upTo = (most: number): readonly number[] => [
  ...Array.from({ length: Math.min(most, stepsMax + 1) }, (_, count) => count),
  most,
];

const allSends: readonly number[] = Array.from({ length: toldSendsMax }, (_, send) => send);

/** All sends go on, or one more or fewer: where several are given up for each other, to keep one of them changes nothing. */
function otherKeptSends({ keptSends }: Schedule, { givenUp }: Guide): readonly Partial<Schedule>[] {
  const told = allSends.slice(0, givenUp);
  if (told.length === 0) return [];
  const others = told.map((send) => toggled(keptSends, send));
  return [new Set(allSends), ...others].map((kept) => ({ keptSends: kept }));
}

/** With this one more, or without it. */
const toggled = (numbers: ReadonlySet<number>, one: number): ReadonlySet<number> =>
  new Set(numbers.has(one) ? [...numbers].filter((other) => other !== one) : [...numbers, one]);

function isBetter(one: Candidate, other: Candidate | undefined): boolean {
  if (other === undefined) return true;
  return one.explained > other.explained || (one.explained === other.explained && one.changes < other.changes);
}

function choicesAt({ pending, canBeLate }: ChoicePoint, { isLazy }: Schedule): readonly Choice[] {
  const others: readonly Choice[] = pending === 0 ? [] : [isLazy ? 'all' : 'none', ...steps];
  return canBeLate ? [...others, 'late'] : others;
}

const textOfMap = (by: ReadonlyMap<number, unknown>): string =>
  [...by]
    .sort(([one], [other]) => one - other)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(' ');

function keyOf({ choices, flushesDone, spare, isSilent, keptSends, triesLate, ...flags }: Schedule): string {
  const [chosen, unheard] = [choices, flushesDone].map((by) => textOfMap(by));
  const silence = silences.findIndex((one) => one === isSilent);
  const [waits, late] = [keptSends, triesLate].map((numbers) => [...numbers].sort().join('+'));
  const set = Object.values({ waits, late, ...flags }).join(' ');
  return `${set} ${silence} ${spares.findIndex((one) => one === spare)} ${unheard} / ${chosen}`;
}

/** What a run has made use of; how fast things happened in it is of no account. */
const leewayOf = (schedule: Schedule, ledger: Ledger): string =>
  `${keyOf({ ...schedule, choices: usual.choices, isLazy: false })} ${ledger.names.join(' ')}`;

async function explain(
  program: Program,
  observation: Observation,
  schedule: Schedule,
  ledger: Ledger,
): Promise<Explained> {
  const guide = new Guide(observation, schedule, ledger);
  const backend = new GuidedBackend(guide);
  let difference: Difference | undefined;
  const { records } = await runProgram(backend, program, {
    tell: (at) => {
      guide.at = at;
    },
    isOver: (at, record) => {
      const observed = observation.records[at];
      if (guide.isBeyond) return true;
      if (observed === undefined) return false;
      guide.at = at;
      const found = differenceOf(guide, observed, record);
      if (found === undefined) return false;
      difference ??= { at, verb: record.verb, ...found };
      return true;
    },
  });
  if (!guide.isBeyond) difference ??= unmade(observation, records);
  return { difference, guide, outcome: difference === undefined ? '' : textOf(guide, records) };
}

/** What came about in the model and could have, what the program saw of it, and what was pending when: ways that have these in common go on alike. */
function textOf(guide: Guide, records: ProgramRun['records']): string {
  const { points, happenings, givenUp, overtakable, mostUnheard, unheardAnswers, waited, schedule } = guide;
  const outcomes = records.map((record) => record && [record.returned, record.errno, record.outputs, record.blocked]);
  // Whether a try that is late changes anything shows at times only beside another choice.
  const late = [[...schedule.triesLate].sort(), [...waited], [...overtakable], mostUnheard, [...unheardAnswers.most]];
  const told = [points, outcomes, happenings, givenUp, guide.lostReceives, late, occasionsOf(guide)];
  return JSON.stringify(told, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** What opens other ways to a device. */
function occasionsOf(guide: Guide): readonly boolean[] {
  const { sawSmall, sawHeld, sawOverrun, sawUnreached, sawLateEvent } = guide;
  const {
    sawWorkAtError,
    sawUnbegun,
    sawShort,
    sawViolation,
    sawTie,
    sawSilent,
    sawOtherQkey,
    sawHighLimit,
    sawUnanswerable,
  } = guide;
  return [
    ...[sawSmall, sawHeld, sawOverrun, sawUnreached, sawLateEvent, sawOtherQkey],
    ...[sawWorkAtError, sawUnbegun, sawShort, sawViolation, sawTie, sawSilent],
    ...[sawHighLimit, sawUnanswerable],
  ];
}

/** A call that was made on one side alone. */
function unmade({ records: observed, calls }: Observation, records: ProgramRun['records']): Difference | undefined {
  for (const [at, { call }] of calls.entries()) {
    const [mine, its] = [records[at], observed[at]];
    if ((mine === undefined) === (its === undefined)) continue;
    return {
      at,
      verb: call,
      what: 'call',
      expected: mine === undefined ? 'not made' : 'made',
      observed: its === undefined ? 'not made' : 'made',
    };
  }
  return undefined;
}
