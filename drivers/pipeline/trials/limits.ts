import type { Limits } from '../../contract';

/** Latencies that something which has to happen may take, and what the usual limit may become at most. */
const event = { latencies: 1000, growthMax: 6 };

/** Latencies of silence after which nothing more is expected. */
const quiet = { latencies: 4, growthMax: 6 };

/**
 * How long things may take on a device whose messages to itself take so long.
 *
 * @param usual - what they may take on any device; never less than that
 */
export function limitsAt(latencyMs: number | undefined, usual: Limits): Limits {
  if (latencyMs === undefined) return usual;
  return {
    eventMs: grown(usual.eventMs, latencyMs, event),
    quietMs: grown(usual.quietMs, latencyMs, quiet),
  };
}

function grown(usualMs: number, latencyMs: number, { latencies, growthMax }: typeof event): number {
  return Math.round(Math.min(Math.max(usualMs, latencies * latencyMs), growthMax * usualMs));
}
