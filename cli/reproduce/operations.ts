import { isList, type Data, type TraceStruct } from '../../drivers/contract';
import { descriptionOf, isVerbName } from '../../drivers/verbs';
import type { Members } from '../../drivers/verbs/idl';
import type { RecordedCall } from '../../reports/evidence/recorded-trace';
import type { LocalPort, Op, Answer } from './program';
import { Provenance } from './provenance';

/** A call with the step that made it. */
export interface StepCall {
  readonly call: RecordedCall;
  readonly step?: number;
  readonly title?: string;
}

/** A call outside of what the descriptions know. */
export class UnknownCall extends Error {}

/** Microseconds that a call lasts at least which others began beside. */
const besideUs = 500;

/** A shorter time between two calls is that of the messages between verbspec and the device. */
const pauseMinMs = 10;
const pauseMaxMs = 5000;

/** The calls of a scenario as the operations of a program. @throws UnknownCall */
export function operationsOf(calls: readonly StepCall[], local: LocalPort): Op[] {
  const groups = grouped(calls);
  const provenance = new Provenance(local);
  const nonBlocking = new Set<unknown>();
  const entries = new Map<unknown, Data | undefined>();
  return groups.map((group, index) => {
    const [{ call, step, title }] = group;
    const { verb, args } = call;
    if (!isVerbName(verb)) throw new UnknownCall(verb);
    const description = descriptionOf(verb, args as TraceStruct);
    const answer = answerOf(group.map((one) => one.call));
    const parameters = Object.assign({}, ...description.in) as Members;
    const made = madeBy(description.makes, answer);
    const pending = pendingUntil(group, groups, index);
    const op: Op = {
      call: group.length === 1 ? call : { ...call, verb, args },
      description,
      args: provenance.membersOf(parameters, args),
      answer,
      calls: group.length,
      ...(made !== undefined && { made }),
      ...(step !== undefined && { step }),
      ...(title !== undefined && { title }),
      pauseMs: pauseBefore(groups, index),
      ...(pending !== undefined && { pendingUntil: pending }),
      isShrink: verb === 'ibv_resize_cq' && Number(args.cqe) < Number(entries.get(args.cq)),
      isNonBlocking: nonBlocking.has(args.channel ?? args.context),
    };
    if (made !== undefined) provenance.learn(made, answer, typeof args.length === 'number' ? args.length : 0);
    if (answer.outputs.cqe !== undefined) entries.set(made ?? args.cq, answer.outputs.cqe);
    noteFlags(nonBlocking, call);
    return op;
  });
}

type Group = readonly [StepCall, ...StepCall[]];

/** Polls that wait for the same CQEs, one after the other, are one operation. */
function grouped(calls: readonly StepCall[]): Group[] {
  const groups: [StepCall, ...StepCall[]][] = [];
  for (const one of calls) {
    const last = groups.at(-1);
    if (last !== undefined && goesOn(last, one)) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

function goesOn(group: Group, { call, step }: StepCall): boolean {
  const [{ call: first, step: firstStep }] = group;
  const before = group.at(-1)?.call ?? first;
  if (before.verb !== call.verb || before.args.cq !== call.args.cq || firstStep !== step) return false;
  if (call.verb === 'ibv_start_poll') return before.errno === 'ENOENT';
  if (call.verb !== 'ibv_poll_cq' || typeof before.returned !== 'number' || before.returned < 0) return false;
  return call.args.numEntries === Number(before.args.numEntries) - before.returned && before.args.numEntries !== 0;
}

function answerOf(calls: readonly RecordedCall[]): Answer {
  const last = calls.at(-1);
  if (last === undefined) return { outputs: {} };
  const { errno, returned, outputs } = last;
  const plain = { ...(errno !== undefined && { errno }), returned, outputs };
  if (last.verb !== 'ibv_poll_cq' || calls.length === 1) return plain;
  const wc = calls.flatMap((call) => (isList(call.outputs.wc) ? call.outputs.wc : []));
  const overflowed = calls.some((call) => call.outputs.overflowed === true);
  return { ...plain, returned: errno === undefined ? wc.length : (returned ?? null), outputs: { wc, overflowed } };
}

/** A pointer is returned; a struct that the caller has room for is filled in. */
export function madeBy(kind: string | undefined, { errno, returned, outputs }: Answer): string | undefined {
  if (kind === undefined || errno !== undefined) return undefined;
  const handle: Data | undefined = typeof returned === 'string' ? returned : outputs[kind];
  return typeof handle === 'string' ? handle : undefined;
}

/** Until when a call was under way, if others were made meanwhile. */
function pendingUntil(group: Group, groups: readonly Group[], index: number): number | 'never' | undefined {
  const [{ call }] = group;
  const { verb, args, returned, startedAt, durationUs } = call;
  if (group.length > 1 || !isVerbName(verb)) return undefined;
  if (descriptionOf(verb, args as TraceStruct).blocks === undefined) return undefined;
  const others = groups.slice(index + 1);
  if (returned === undefined) return others.length === 0 ? undefined : 'never';
  const end = startedAt + durationUs;
  if (durationUs < besideUs || (others[0]?.[0].call.startedAt ?? Infinity) >= end) return undefined;
  const after = others.findIndex(([other]) => other.call.startedAt >= end);
  return after < 0 ? 'never' : index + 1 + after;
}

function pauseBefore(groups: readonly Group[], index: number): number {
  const start = groups[index]?.[0].call.startedAt ?? 0;
  const ends = groups
    .slice(0, index)
    .map((group) => group.at(-1)?.call)
    .flatMap((call) => (call === undefined || call.startedAt + call.durationUs > start ? [] : [call]))
    .map(({ startedAt, durationUs }) => startedAt + durationUs);
  const ms = index === 0 ? 0 : Math.round((start - Math.max(...ends, 0)) / 1000);
  return ms < pauseMinMs || ends.length === 0 ? 0 : Math.min(ms, pauseMaxMs);
}

function noteFlags(nonBlocking: Set<unknown>, { verb, args, errno }: RecordedCall): void {
  const { source, cmd, flags } = args;
  if (verb !== 'fcntl' || cmd !== 'F_SETFL' || errno !== undefined || !isList(flags)) return;
  if (flags.includes('O_NONBLOCK')) nonBlocking.add(source);
  else nonBlocking.delete(source);
}
