import { oneLine } from '../../catalog/plain-text';
import { objectsOfCall, type CallObjects } from '../../drivers/contract';
import { renderCall } from '../evidence/trace-text';
import type { RecordedCall, RecordedTrace } from '../evidence/recorded-trace';
import type { CallGroup } from './call-groups';

/** The program, or what its calls are about, from left to right. */
export interface Lane {
  readonly name: string;
  /** What it is: `CQ`. */
  readonly kind: string;
}

/** What happens, from top to bottom. */
export type DiagramRow =
  /** A step of the scenario, whose calls follow. */
  | { readonly is: 'step'; readonly text: string; readonly failed: boolean }
  /** A call, and what it touches besides the lane that it leads to. */
  | {
      readonly is: 'call';
      readonly to: number;
      readonly besides: readonly number[];
      readonly makes: boolean;
      readonly atMs: string;
      readonly text: string;
    }
  /** What went wrong in the step above. */
  | { readonly is: 'finding'; readonly text: string }
  /** What a call gave, back to the program. */
  | { readonly is: 'answer'; readonly from: number; readonly text: string; readonly refused: boolean }
  /** A call that never returned. */
  | { readonly is: 'lost'; readonly from: number; readonly text: string };

/** The calls of a scenario over time. */
export interface Diagram {
  readonly lanes: readonly Lane[];
  readonly rows: readonly DiagramRow[];
  /** Calls before the first that is shown. */
  readonly leftOut: number;
}

/** Kinds of objects with a lane each, in the order of the lanes; all others are of the device. */
const kindsWithLanes = new Map([
  ['channel', 'completion channel'],
  ['cq', 'CQ'],
  ['srq', 'SRQ'],
  ['qp', 'QP'],
]);

const program: Lane = { name: 'program', kind: '' };
const device: Lane = { name: 'device', kind: 'and other objects' };

/** Objects with a lane of their own: those that most calls have to do with. */
const lanesMax = 10;

/** Characters of a call or of what it gave, and of a step or of what went wrong. */
const textMax = 76;
const wordsMax = 130;
/** What one call gave that is shown, of a batch of CQEs. */
const answersMax = 4;

/**
 * The calls of a scenario as a sequence: lanes for the program and the objects that calls touched, and a row for each
 * call, each thing that it gave, and each step. A call that is made again and again with the same answer has one row.
 *
 * @param callsMax - the last ones are shown
 */
export function diagramOf(groups: readonly CallGroup[], { scope }: RecordedTrace, callsMax = 120): Diagram {
  const calls = groups.flatMap((group) => group.calls);
  const leftOut = Math.max(0, calls.length - callsMax);
  const shown = new Set(calls.slice(leftOut));
  const lanes = new Lanes(calls.filter((call) => shown.has(call)).map(objectsOfCall), scope.nameOf);
  const zero = calls[0]?.startedAt ?? 0;
  const rows = groups.flatMap((group): DiagramRow[] => {
    const own = group.calls.filter((call) => shown.has(call));
    if (own.length === 0 && (group.calls.length > 0 || group.findings.length === 0)) return [];
    return [
      { is: 'step', text: shortened(group.step, wordsMax), failed: group.findings.length > 0 },
      ...repeats(own, scope).flatMap((repeat) => rowsOf(repeat, lanes, zero)),
      ...group.findings.map((text): DiagramRow => ({ is: 'finding', text: shortened(text, wordsMax) })),
    ];
  });
  return { lanes: lanes.all, rows, leftOut };
}

/** The lanes of the objects of a trace. */
class Lanes {
  readonly all: readonly Lane[];
  readonly #objects: readonly string[];

  constructor(calls: readonly CallObjects[], nameOf: (handle: string) => string) {
    const counts = new Map<string, number>();
    for (const object of calls.flatMap(({ made, touched }) => [...touched, ...(made === undefined ? [] : [made])])) {
      if (kindsWithLanes.has(kindOf(object))) counts.set(object, (counts.get(object) ?? 0) + 1);
    }
    const busiest = [...counts].sort(([, one], [, other]) => other - one).slice(0, lanesMax);
    const objects = new Set(busiest.map(([object]) => object));
    const inOrder = [...counts.keys()].filter((object) => objects.has(object));
    this.#objects = [...kindsWithLanes.keys()].flatMap((kind) => inOrder.filter((object) => kindOf(object) === kind));
    const own = this.#objects.map((object) => ({
      name: oneLine(nameOf(object)),
      kind: kindsWithLanes.get(kindOf(object)) ?? '',
    }));
    this.all = [program, ...own, device];
  }

  /** The lane of an object; that of the device for all that have none. */
  of(object: string | undefined): number {
    const index = object === undefined ? -1 : this.#objects.indexOf(object);
    return index < 0 ? this.all.length - 1 : index + 1;
  }
}

const kindOf = (handle: string): string => handle.replace(/#.*$/, '');

interface Repeat {
  readonly call: RecordedCall;
  readonly head: string;
  readonly given: readonly string[];
  readonly times: number;
}

/** Calls that say the same one after the other are shown once. */
function repeats(calls: readonly RecordedCall[], scope: RecordedTrace['scope']): Repeat[] {
  const found: Repeat[] = [];
  for (const call of calls) {
    const [head = '', ...below] = renderCall(call, scope);
    const given = below.slice(structsTaken(call)).map((line) => line.trim());
    const last = found.at(-1);
    const isSame = last?.head === head && last.given.join() === given.join();
    if (isSame) found[found.length - 1] = { ...last, times: last.times + 1 };
    else found.push({ call, head, given, times: 1 });
  }
  return found;
}

/** The structs in lists among the arguments, which have the first lines below a call. */
function structsTaken({ args }: RecordedCall): number {
  const isStructs = (value: unknown): value is readonly object[] =>
    Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
  return Object.values(args).reduce<number>((sum, value) => sum + (isStructs(value) ? value.length : 0), 0);
}

function rowsOf({ call, head, given, times }: Repeat, lanes: Lanes, zero: number): DiagramRow[] {
  const { made, touched } = objectsOfCall(call);
  const to = lanes.of(made ?? touched[0]);
  const besides = [...new Set(touched.map((object) => lanes.of(object)))];
  const row: DiagramRow = {
    is: 'call',
    to,
    besides: besides.filter((lane) => lane !== to && lane !== lanes.all.length - 1),
    makes: made !== undefined,
    atMs: ((call.startedAt - zero) / 1000).toFixed(3),
    text: shortened(head) + (times === 1 ? '' : `  × ${times}`),
  };
  return [row, ...answersOf(call, given, to)];
}

function answersOf({ returned, errno }: RecordedCall, given: readonly string[], from: number): DiagramRow[] {
  if (errno !== undefined) return [{ is: 'answer', from, text: oneLine(errno), refused: true }];
  if (returned === undefined) return [{ is: 'lost', from, text: 'never returned' }];
  const more = given.length - answersMax;
  const told = [...given.slice(0, answersMax), ...(more > 0 ? [`… and ${more} more`] : [])];
  return told.map((text) => ({ is: 'answer', from, text: shortened(text), refused: false }));
}

function shortened(text: string, max = textMax): string {
  const line = oneLine(text);
  const characters = Array.from(line);
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`;
}
