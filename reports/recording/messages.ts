import type { Envelope, Timestamp } from '@cucumber/messages';
import { TimeConversion } from '@cucumber/messages';
import { HarnessError } from '../../drivers/contract';

/**
 * Reads Cucumber messages, one JSON object a line.
 *
 * The last line may be incomplete: a run that was killed ends in the middle of a message.
 *
 * @throws {@link HarnessError} when any other line is not a JSON object
 */
export function parseMessages(ndjson: string): Envelope[] {
  const lines = ndjson.split('\n');
  const unfinished = lines.pop() ?? '';
  const envelopes = lines.flatMap((line, index) => (line.trim() === '' ? [] : [parseLine(line, index + 1)]));
  const last = tryParse(unfinished);
  return last === undefined ? envelopes : [...envelopes, last];
}

/** Milliseconds since the epoch, whole, as reports want them. */
export function epochMs(timestamp: Timestamp): number {
  return Math.round(TimeConversion.timestampToMillisecondsSinceEpoch(timestamp));
}

function parseLine(line: string, number: number): Envelope {
  const envelope = tryParse(line);
  if (envelope === undefined) throw new HarnessError(`line ${number} of the messages is not a Cucumber message`);
  return envelope;
}

function tryParse(line: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
