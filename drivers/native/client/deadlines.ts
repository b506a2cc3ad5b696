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

const waitingVerbs = new Set(descriptions.filter(({ blocks }) => blocks !== undefined).map(({ c }) => c));

/** Milliseconds until the answer to a request is overdue, where everything takes `slowness` times as long as usual. */
export function deadlineMs(method: string, params: TraceStruct, slowness: number): number {
  if (method === 'hello') return deadlinesMs.hello * slowness;
  if (!waitingVerbs.has(method)) return deadlinesMs.ordinary * slowness;
  const asked = typeof params.timeoutMs === 'number' ? Math.max(params.timeoutMs, 0) : 0;
  return asked + deadlinesMs.waiting * slowness;
}
