import type { HostExit } from './carrier';

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

/** The line that says a word. */
export function wordLine(marker: string, word: RemoteWord): string {
  return `${marker} ${JSON.stringify(word)}`;
}

/** The word that a line says, or `undefined` if it is of somebody else. */
export function wordIn(marker: string, line: string): RemoteWord | undefined {
  // What came before without a newline stands in front of it.
  const at = line.indexOf(`${marker} `);
  return at < 0 ? undefined : (JSON.parse(line.slice(at + marker.length)) as RemoteWord);
}

/** Milliseconds between two signs of life that the near side gives, as empty lines, which mean nothing to a host. */
export const signOfLifeMs = 10_000;

/** Milliseconds without one after which the far side takes the near side for gone. */
export const silenceMs = 90_000;
