import type { Capability } from '../../contract';
import { programVersion, type Program } from '../../programs/program';
import type { Cell, SeeCell } from '../coverage/cell';
import { arrivingActs } from './acts/arriving-acts';
import { cqActs } from './acts/cq-acts';
import { cqEndings, cqStateActs } from './acts/cq-states';
import { channelActs, contextActs, eventTypeActs } from './acts/event-acts';
import { memoryActs } from './acts/memory-acts';
import { failingActs } from './acts/failing-acts';
import { qpActs, qpHereActs } from './acts/qp-acts';
import { qpStateActs } from './acts/qp-states';
import { raisingActs } from './acts/raising-acts';
import { srqActs } from './acts/srq-acts';
import type { Act, Aim, Scope } from './aim';
import { finale, finales, Interruptions } from './aside/asides';
import { Chance, seedOf } from './chance';
import { arm, drain, drainAsync, drainChannel } from './completions';
import { bystanding } from './moves/bystanding';
import { composed } from './moves/composed';
import { contexts, elsewhere } from './moves/contexts';
import { ending } from './moves/ending';
import { failing } from './moves/failing';
import { endAll, leaveNothing } from './moves/destroying';
import { lifetimes, newPair, typesOf } from './moves/lifetimes';
import { linking, mayMoveLink, moveLinkThereAndBack } from './moves/linking';
import { many } from './moves/many';
import type { Move, Moves } from './moves/move';
import { notifying } from './moves/notifying';
import { owing } from './moves/owing';
import { particulars } from './moves/particulars';
import { piling } from './moves/piling';
import { reaching } from './moves/reaching';
import { refusing } from './moves/refusing';
import { sending } from './moves/sending';
import { sharing } from './moves/sharing';
import { sizes } from './moves/sizes';
import { staying } from './moves/staying';
import { texts } from './moves/texts';
import { varied } from './moves/varied';
import { waiting } from './moves/waiting';
import { makeChannel, makeCq, makeSrq, openDevice } from './objects';
import { anySizes, type Sizes } from './sizes';
import { ProgramIsOver, Walk, type Caps } from './walk';

/** All that a program may do. */
export const moves: Moves = {
  ...sending,
  ...composed,
  ...contexts,
  ...owing,
  ...notifying,
  ...lifetimes,
  ...failing,
  ...sizes,
  ...sharing,
  ...waiting,
  ...texts,
  ...varied,
  ...reaching,
  ...piling,
  ...staying,
  ...many,
  ...linking,
  ...particulars,
  ...refusing,
  ...ending,
  ...elsewhere,
  ...bystanding,
};

/** Makes other chances of the seed of a program. */
const ofAsides = 0x5bd1_e995;

/** Of the moves of a program that is aimed, so many head for what was met least. */
const shareOfAimed = 0.5;

/** So many acts follow on each other at most. */
const actsMax = 8;

/** All that an aimed program may do next with what it has. */
const actsNow = (w: Walk): Act[] => [
  ...cqActs(w),
  ...arrivingActs(w),
  ...channelActs(w),
  ...contextActs(w),
  ...qpActs(w),
  ...srqActs(w),
  ...memoryActs(w),
];

/** What it may do beside these for what is rare; most of it takes objects of its own, and many calls. */
const rareActs = (w: Walk): Act[] => [
  ...cqEndings(w),
  ...cqStateActs(w),
  ...eventTypeActs(w),
  ...raisingActs(w),
  ...qpHereActs(w),
  ...qpStateActs(w),
  ...failingActs(w),
];

/** Calls after which a program makes no further move; one for what is rare needs more of them. */
const callsMax = { usual: 110, rare: 170 } as const;

/** What programs are generated for. */
export interface Wanted {
  readonly seed: number;
  readonly capabilities: readonly Capability[];
  /** Clauses that the device does not keep: programs leave out what nothing but these decides. */
  readonly avoided?: ReadonlySet<string>;
  /** What the queues of the device take; whatever a program asks for, unless given. */
  readonly sizes?: Sizes;
  /** Hears which cells the programs reach. */
  readonly see?: SeeCell;
  /** What is headed for; without it, all is left to chance. */
  readonly aim?: Aim;
}

/** The program of that number: the same seed and number give the same one. */
export async function generate(wanted: Wanted, index: number): Promise<Program> {
  const chance = new Chance(seedOf(wanted.seed, index));
  const caps: Caps = { cqe: chance.between(1, 4), receives: chance.between(1, 4), batch: chance.between(1, 4) };
  const { see, aim } = wanted;
  const seeAll = (cell: Cell): void => {
    see?.(cell);
    aim?.see(cell);
  };
  const isSeen = see !== undefined || aim !== undefined;
  const walk = new Walk(
    chance,
    caps,
    new Set(wanted.capabilities),
    wanted.avoided ?? new Set(),
    isSeen ? seeAll : undefined,
  );
  const asides = new Interruptions(new Chance(seedOf(wanted.seed ^ ofAsides, index)));
  walk.accompany(asides);
  walk.keepWithin(wanted.sizes ?? anySizes);
  await walk.begin();
  await write(walk, asides.isAlone && walk.has('connection') ? alone : (w) => moved(w, wanted.aim));
  return { version: programVersion, seed: `${wanted.seed}-${index}`, ops: walk.ops };
}

/** A program of moves. */
async function moved(w: Walk, aim?: Aim): Promise<void> {
  await prologue(w);
  await body(w, aim);
  await finale(w);
}

/** A program without them. */
async function alone(w: Walk): Promise<void> {
  await openDevice(w);
  if (w.has('srq') && w.chance.happens(0.3)) await makeSrq(w);
  await finales(w);
}

async function write(w: Walk, rest: (w: Walk) => Promise<void>): Promise<void> {
  try {
    await rest(w);
    await epilogue(w);
  } catch (error) {
    if (!(error instanceof ProgramIsOver)) throw error;
  }
}

async function prologue(w: Walk): Promise<void> {
  const { chance } = w;
  await openDevice(w);
  if (w.has('cq-notifications')) for (let made = chance.one(1, 1, 2, 0); made > 0; made--) await makeChannel(w);
  for (let made = chance.between(1, 3); made > 0; made--) await makeCq(w);
  if (w.has('srq')) for (let made = chance.one(0, 0, 1, 2); made > 0; made--) await makeSrq(w);
  if (chance.happens(0.3)) for (const cq of w.cqs) await arm(w, cq, chance.one(0, 1));
  if (chance.happens(0.05)) return;
  if (chance.happens(0.04) && mayMoveLink(w)) await moveLinkThereAndBack(w);
  await newPair(w, chance.happens(0.55) && typesOf(w).includes('IBV_QPT_RC') ? 'IBV_QPT_RC' : undefined);
  if (chance.happens(0.2)) await newPair(w);
}

/** Each program leaves out a random half of what it could do: what is rare then happens often in some. */
async function body(w: Walk, aim?: Aim): Promise<void> {
  const { chance } = w;
  const kept = Object.values(moves).filter(({ weight }) => chance.happens(weight >= 5 ? 0.85 : 0.5));
  const count = chance.between(3, 14);
  const scope = aim?.begin() ?? 'usual';
  for (let made = 0; made < count && !w.isOver && w.size < callsMax[scope]; made++) {
    if (aim !== undefined && chance.happens(shareOfAimed) && (await headFor(w, aim, scope)) > 0) continue;
    const next = chance.weighted(
      kept.filter((move) => move.isEnabled(w)).map((move): [Move, number] => [move, move.weight]),
    );
    if (next === undefined) return;
    await next.make(w);
  }
}

/** @returns how many acts have headed for what was met least */
async function headFor(w: Walk, aim: Aim, scope: Scope): Promise<number> {
  const all = (): Act[] => [...actsNow(w), ...(scope === 'rare' ? rareActs(w) : [])];
  let acts = 0;
  while (acts < actsMax && !w.isOver && w.size < callsMax[scope] && (await aim.act(all(), w.chance, scope))) acts += 1;
  return acts;
}

/** Looks at all that has not been looked at, in each context, and may end all. */
async function epilogue(w: Walk): Promise<void> {
  const isLooking = w.chance.happens(0.8);
  const isEnding = w.chance.happens(0.5);
  for (const home of w.homes) {
    if (w.isOver) return;
    w.goTo(home);
    await w.settle();
    if (isLooking) await lookAtAll(w);
    if (isEnding) await endAll(w);
  }
  if (isEnding && w.chance.happens(0.5)) await leaveNothing(w);
}

async function lookAtAll(w: Walk): Promise<void> {
  for (const cq of w.cqs) if (!w.isOverrun(cq)) await drain(w, cq);
  for (const channel of w.channels) await drainChannel(w, channel);
  await drainAsync(w, w.chance.happens(0.7));
}
