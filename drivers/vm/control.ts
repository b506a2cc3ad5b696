/**
 * The port `control` between this machine and guest/supervise.sh, in lines:
 *
 * | to the guest | meaning |
 * |---|---|
 * | `start MARKER ROLE WORD...` | starts a process on the port `rpc` |
 * | `kill` | kills it with SIGKILL, and all of its process group |
 * | `threads` | asks what its threads are doing |
 * | `link down`, `link up` | takes the link of the rxe device down or up |
 *
 * | from the guest | meaning |
 * |---|---|
 * | `ready` | the rxe device can be used |
 * | `exit MARKER STATUS TAIL` | the process is gone; STATUS as a shell has it, TAIL the end of its stderr in base64 |
 * | `threads PID TEXT` | what /proc says of the threads of process PID, as head(1) prints several files, in base64 |
 * | `link down`, `link up` | the port is so now; once up, it has the GIDs that it had before |
 *
 * Each word is `=` and base64, so none is empty and no character is special. After the last output of a process the
 * guest writes MARKER to the port `rpc`: what comes before belongs to this process, what follows to the next.
 */
import { constants } from 'node:os';
import type { HostExit } from '../native/carriers/carrier';
import { tailOf } from '../support/tail';
import { parseThreads, type ThreadTexts } from '../native/linux/threads';

/** Bytes of the longest line of the guest; one about many threads has some ten thousand. */
export const maxReportBytes = 1024 * 1024;

/**
 * What a process is for: a `host` talks on its stdin and stdout, and the tail of its stderr is kept for {@link HostExit};
 * a `command` has no input, and its stderr is part of its output.
 */
export type Role = 'host' | 'command';

/** The line that starts a process. */
export function startLine(marker: string, role: Role, command: readonly string[]): string {
  const words = command.map((word) => `=${Buffer.from(word).toString('base64')}`);
  return `start ${marker} ${role} ${words.join(' ')}\n`;
}

/** The line that takes the link down or up; the guest reports with the same words. */
export function linkLine(up: boolean): string {
  return `link ${up ? 'up' : 'down'}\n`;
}

/** A line of the guest, understood. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'exit'; readonly marker: string; readonly exit: HostExit }
  | { readonly kind: 'threads'; readonly pid: number; readonly texts: ThreadTexts }
  | { readonly kind: 'link'; readonly up: boolean };

/** @returns `undefined` for a line that is not a report */
export function parseReport(line: string): Report | undefined {
  if (line === 'ready') return { kind: 'ready' };
  for (const up of [true, false]) if (`${line}\n` === linkLine(up)) return { kind: 'link', up };
  const [, pid, texts = ''] = /^threads (\d{1,10}) ([\w+/=]*)$/.exec(line) ?? [];
  if (pid !== undefined) return { kind: 'threads', pid: Number(pid), texts: parseThreads(decoded(texts)) };
  const [, marker, status, tail = ''] = /^exit (\w+) (\d{1,3}) ?([\w+/=]*)$/.exec(line) ?? [];
  if (marker === undefined) return undefined;
  return {
    kind: 'exit',
    marker,
    exit: { ...exitOf(Number(status)), stderrTail: tailOf(decoded(tail)) },
  };
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString();
}

/** Second names of the same signals. */
const aliases = ['SIGIOT', 'SIGPOLL', 'SIGUNUSED'];

const signalNames = new Map(
  Object.entries(constants.signals)
    .filter(([name]) => !aliases.includes(name))
    .map(([name, value]) => [value, name]),
);

/** A shell reports a signal as 128 + its number. */
function exitOf(status: number): { code: number | null; signal: string | null } {
  const signal = status > 128 ? signalNames.get(status - 128) : undefined;
  return signal === undefined ? { code: status, signal: null } : { code: null, signal };
}
