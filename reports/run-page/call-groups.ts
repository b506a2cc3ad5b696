import { mediaTypes } from '../../drivers/contract';
import { traceOf, type RecordedCall, type RecordedTrace } from '../evidence/recorded-trace';
import { renderCall } from '../evidence/trace-text';
import { describeFinding } from '../judge/judge';
import type { JudgedScenario } from '../judge/judged-run';

/** The calls that one step made. */
export interface CallGroup {
  /** The step as it is written; empty where nobody has noted who made the calls. */
  readonly step: string;
  readonly calls: readonly RecordedCall[];
  /** What went wrong in it, each in a line. */
  readonly findings: readonly string[];
}

/** A step with its calls in C. */
export interface CallsInC {
  readonly step: string;
  readonly failed: boolean;
  readonly lines: readonly string[];
}

/** What is known of the calls of a scenario. */
export interface ScenarioCalls {
  readonly trace: RecordedTrace;
  readonly groups: readonly CallGroup[];
}

/** The calls of a scenario by its steps; those of the clean-up only where that is what went wrong. */
export function callsByStep({ outcome: { attempt, findings } }: JudgedScenario): ScenarioCalls {
  const trace = traceOf(attempt);
  const wrong = new Map<string, string[]>();
  for (const finding of findings) {
    const words = describeFinding({ ...finding, where: '' });
    wrong.set(finding.where, [...(wrong.get(finding.where) ?? []), words]);
  }
  const isInCleanUp = findings.some(({ isCleanUp }) => isCleanUp);
  const cleanUp = isInCleanUp ? traceOf(attempt, mediaTypes.cleanUpTrace).calls : [];
  const groups = groupsOf(trace);
  const told = new Set(groups.map(({ step }) => step));
  const silent = [...wrong.keys()].filter((where) => !told.has(where));
  return {
    trace,
    groups: [
      ...groups.map((group) => ({ ...group, findings: wrong.get(group.step) ?? [] })),
      ...(cleanUp.length === 0 ? [] : [{ step: 'Clean-up', calls: cleanUp, findings: [] }]),
      ...silent.map((step) => ({ step, calls: [], findings: wrong.get(step) ?? [] })),
    ],
  };
}

function groupsOf({ calls, steps }: RecordedTrace): Pick<CallGroup, 'step' | 'calls'>[] {
  const groups: { step: string; calls: RecordedCall[] }[] = [];
  calls.forEach((call, index) => {
    const step = steps[index] ?? '';
    const last = groups.at(-1);
    if (last?.step === step) last.calls.push(call);
    else groups.push({ step, calls: [call] });
  });
  return groups;
}

/** The calls of each step in a notation like that of strace(1): start in milliseconds, duration in microseconds, the call. */
export function callsInC({ trace: { scope }, groups }: ScenarioCalls): CallsInC[] {
  const zero = groups[0]?.calls[0]?.startedAt ?? 0;
  return groups.map(({ step, findings, calls }) => ({
    step,
    failed: findings.length > 0,
    lines: calls.flatMap((call) => {
      const [head = '', ...below] = renderCall(call, scope);
      const took = call.returned === undefined ? '-' : String(Math.round(call.durationUs));
      const times = `${((call.startedAt - zero) / 1000).toFixed(3).padStart(9)} ${took.padStart(7)}  `;
      return [times + head, ...below.map((line) => ' '.repeat(times.length) + line)];
    }),
  }));
}
