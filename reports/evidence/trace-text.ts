import type { Attachment } from '@cucumber/messages';
import { dataText, mediaTypes, membersText, type Data } from '../../drivers/contract';
import { textOf } from '../recording/attachment-text';
import { oneLine } from '../../catalog/plain-text';

/** A call record as it was stored with the run. */
export interface RecordedCall {
  readonly verb: string;
  readonly args: Readonly<Record<string, Data | undefined>>;
  /** Absent if the call never returned. */
  readonly returned?: number | string | null;
  readonly errno?: string;
  readonly outputs: Readonly<Record<string, Data | undefined>>;
  /** Microseconds on the DUT's monotonic clock. */
  readonly startedAt: number;
  readonly durationUs: number;
}

/** The calls of an attempt; none if it has no trace, or one that cannot be read. */
export function callsOf(attachments: readonly Attachment[]): RecordedCall[] {
  return attachments
    .filter((attachment) => attachment.mediaType === mediaTypes.trace)
    .flatMap((attachment) => parseTrace(textOf(attachment)) ?? []);
}

/** Reads a stored trace, or `undefined` if the text is none. */
export function parseTrace(text: string): RecordedCall[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every(isCall) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isCall(value: unknown): value is RecordedCall {
  if (typeof value !== 'object' || value === null) return false;
  const call = value as Partial<Record<keyof RecordedCall, unknown>>;
  const isStruct = (part: unknown): boolean => typeof part === 'object' && part !== null;
  return (
    typeof call.verb === 'string' &&
    isStruct(call.args) &&
    isStruct(call.outputs) &&
    typeof call.startedAt === 'number' &&
    typeof call.durationUs === 'number'
  );
}

/**
 * The calls as lines of a table: start in milliseconds after the first call, duration in microseconds, the call.
 *
 * @param lastMax - how many of the last calls are shown
 */
export function renderTrace(calls: readonly RecordedCall[], lastMax = Infinity): string[] {
  const zero = calls[0]?.startedAt ?? 0;
  const shown = calls.slice(Math.max(0, calls.length - lastMax));
  if (shown.length === 0) return [];
  const rows = shown.map((call) => [
    ((call.startedAt - zero) / 1000).toFixed(3),
    call.returned === undefined ? '-' : String(Math.round(call.durationUs)),
    renderCall(call),
  ]);
  const table = [['start ms', 'took µs', 'call'], ...rows];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map(([start = '', took = '', call = '']) =>
    [start.padStart(widths[0] ?? 0), took.padStart(widths[1] ?? 0), call].join('  '),
  );
}

/** One call in a notation like strace(1): `ibv_poll_cq(cq=cq#1, numEntries=1) = 0 []`. */
export function renderCall({ verb, args, returned, errno, outputs }: RecordedCall): string {
  const call = `${verb}(${membersText(args, '=')})`;
  if (returned === undefined) return oneLine(`${call} never returned`);
  const filledIn = Object.keys(outputs).length > 0 ? dataText(outputs) : undefined;
  const parts = [resultOf(returned, errno), errno, filledIn].filter((part) => part !== undefined);
  return oneLine(parts.length === 0 ? call : `${call} = ${parts.join(' ')}`);
}

/** A function that has not refused and gave nothing is void. */
function resultOf(returned: number | string | null, errno: string | undefined): string | undefined {
  if (returned !== null) return String(returned);
  return errno === undefined ? undefined : 'NULL';
}
