import type { Scratch } from './scratch';

/** What a try takes beside Node.js and the project; where it is missing, the try is skipped and listed with the reason. */
export type Need = 'root' | 'mount' | 'vm' | 'mandoc';

/** What a try has to end with. */
export interface Expectation {
  /** The exit code, or those that are right alike; 128 and its number for a signal that killed the process. */
  readonly code: number | readonly number[];
  /** The line that names cause and remedy. */
  readonly line?: RegExp;
  /** Where the line is: on stderr, as the one message there, unless it belongs to the output of the job. */
  readonly on?: 'stderr' | 'stdout';
  /** Messages on stderr, where there is more to say than one. */
  readonly messagesMax?: number;
}

/** A signal that is sent once the command has written something. */
export interface SignalAfter {
  readonly after: RegExp;
  readonly signal: NodeJS.Signals;
  /** Milliseconds between that and the signal, where the time between two signals is what is tried. */
  readonly delayMs?: number;
}

/** What a try has left, for checks of its own. */
export interface Ended {
  readonly scratch: Scratch;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A try to harm the user by way of the command. Paths are relative to its own working folder. */
export interface Try {
  /** What is tried, unique within its area. */
  readonly name: string;
  /** Arguments of `verbspec`; `{here}` stands for the working folder. */
  readonly args: readonly string[];
  /** Makes what lies there before. */
  readonly prepare?: (scratch: Scratch) => void;
  /** Variables beside the few that every try has; `{here}` as in `args`, `undefined` takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A script for `sh`, in which `"$@"` is the command. */
  readonly under?: string;
  /** The user who runs it. */
  readonly as?: 'nobody';
  readonly signals?: readonly SignalAfter[];
  readonly needs?: readonly Need[];
  readonly expect: Expectation;
  /** What may be new or other afterwards: paths, with all below them. All else has to be as it was, byte by byte. */
  readonly changes?: readonly string[];
  /** Throws where something else is wrong. */
  readonly afterwards?: (ended: Ended) => void;
  /** Milliseconds in which it has ended on a busy machine. */
  readonly maxMs?: number;
  /** MiB that the process may need. */
  readonly memoryMaxMiB?: number;
  /** Runs in `npm test`. */
  readonly quick?: boolean;
}

/** Tries of one kind, as the summary has them. */
export interface Area {
  readonly area: string;
  readonly tries: readonly Try[];
}

/** A try with the area that it belongs to. */
export interface ListedTry extends Try {
  readonly area: string;
}
