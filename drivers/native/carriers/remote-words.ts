import type { HostExit } from './carrier';
import { tailOf } from '../../support/tail';

/**
 * What the far side of an ssh connection says on its stderr, a line each, between the words of ssh and of shells. A line
 * of this run carries its marker, which nobody else knows.
 */
export type RemoteWord =
  /** A host process is about to start on the machine that calls itself so. */
  | { readonly kind: 'ready'; readonly hostName?: string }
  /** No host process can be started. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The host process has ended, and all that it had started. */
  | { readonly kind: 'ended'; readonly exit: HostExit };

/** Bytes of the longest line of the far side; a word with the end of a stderr has less, however it is escaped. */
export const maxWordBytes = 256 * 1024;

/** The line that says a word. */
export function wordLine(marker: string, word: RemoteWord): string {
  return `${marker} ${JSON.stringify(word)}`;
}

/** The word that a line says, or `undefined` if it is of somebody else, as all is that has not the form of a word. */
export function wordIn(marker: string, line: string): RemoteWord | undefined {
  // What came before without a newline stands in front of it.
  const at = line.indexOf(`${marker} `);
  return at < 0 ? undefined : asWord(parsed(line.slice(at + marker.length)));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function asWord(value: unknown): RemoteWord | undefined {
  const { kind, hostName, reason, exit } = membersOf(value);
  if (kind === 'ready') return isHostName(hostName) ? { kind, hostName } : { kind };
  if (kind === 'refused' && typeof reason === 'string') return { kind, reason };
  const ended = kind === 'ended' ? asExit(exit) : undefined;
  return ended && { kind: 'ended', exit: ended };
}

/** A host process that has ended is all that the far side can report; what became of the way to it is known here. */
function asExit(value: unknown): HostExit | undefined {
  const { code, signal, stderrTail } = membersOf(value);
  if (code !== null && !isExitCode(code)) return undefined;
  if (signal !== null && !isSignalName(signal)) return undefined;
  return typeof stderrTail === 'string' ? { code, signal, stderrTail: tailOf(stderrTail) } : undefined;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** As uname has it: no more than 64 bytes, without blanks or control characters. */
function isHostName(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.-]{1,64}$/.test(value);
}

function isExitCode(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;
}

function isSignalName(value: unknown): value is string {
  return typeof value === 'string' && /^SIG[A-Z0-9+]{1,12}$/.test(value);
}

/** Milliseconds between two signs of life that the near side gives, as empty lines, which mean nothing to a host. */
export const signOfLifeMs = 10_000;

/** Milliseconds without one after which the far side takes the near side for gone. */
export const silenceMs = 90_000;
