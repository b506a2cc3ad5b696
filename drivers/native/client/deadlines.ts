import type { TraceStruct } from '../../contract';
import { descriptions } from '../../verbs';

/** Milliseconds that an answer may take before the host counts as hung. */
const deadlinesMs = {
  /** A verb that returns as soon as it has done its work. */
  ordinary: 10_000,
  /** A verb that waits for an event or for acknowledgements. */
  waiting: 30_000,
  /** The first answer of a host, which has to start first. */
  hello: 60_000,
};

/** Milliseconds that a host takes at most to destroy what a program has made, beside its deadline. */
const cleanupMs = 31_000;

/** An hour: no timer of Node.js lasts for more than some weeks. */
const longestMs = 3_600_000;

const waitingVerbs = new Set<string>([
  'pause',
  ...descriptions.filter(({ blocks }) => blocks !== undefined).map(({ c }) => c),
]);

/** Milliseconds until the answer to a request is overdue, where everything takes `slowness` times as long as usual. */
export function deadlineMs(method: string, params: TraceStruct, slowness: number): number {
  if (method === 'hello') return deadlinesMs.hello * slowness;
  if (method === 'programs') return deadlineOfPrograms(params) + deadlinesMs.ordinary * slowness;
  if (!waitingVerbs.has(method)) return deadlinesMs.ordinary * slowness;
  const asked = method === 'pause' ? params.ms : params.timeoutMs;
  return Math.max(typeof asked === 'number' ? asked : 0, 0) + deadlinesMs.waiting * slowness;
}

/** The host looks at the deadlines itself; this one is for a host that no longer does. */
function deadlineOfPrograms({ programs, deadlineMs: each }: TraceStruct): number {
  const count = Array.isArray(programs) ? programs.length : 0;
  return Math.min(count * ((typeof each === 'number' ? each : 0) + cleanupMs), longestMs);
}
