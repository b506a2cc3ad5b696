import type { Dut, Handle, TraceStruct } from '../../contract';
import type { Backend, RawResult } from '../../pipeline/backend';
import type { VerbName } from '../../pipeline/conventions';

/** What can be asked of a backend. */
export type Request =
  | { readonly what: 'call'; readonly verb: VerbName; readonly args: TraceStruct }
  | { readonly what: 'begin' | 'end' | 'settle' }
  | { readonly what: 'pause'; readonly ms: number }
  | { readonly what: 'port'; readonly up: boolean };

/** What came of a request, as text, so that two are compared at once; and when, which most scenarios do not look at. */
export interface Answer {
  readonly text: string;
  readonly time: string;
}

/** A request is made, its answer comes, or somebody looks at the clock. */
export type HistoryEvent =
  | { readonly kind: 'request'; readonly id: number; readonly node: string; readonly request: Request }
  | ({ readonly kind: 'answer'; readonly id: number } & Answer)
  | { readonly kind: 'clock'; readonly node: string; readonly nowMs: number };

/** All that a scenario asked of its devices and all that came of it, in the order in which it happened. */
export type History = readonly HistoryEvent[];

/** Makes a request of a backend. */
export async function make(request: Request, backend: Backend): Promise<unknown> {
  switch (request.what) {
    case 'call':
      return backend.call(request.verb, request.args);
    case 'pause':
      return backend.pause(request.ms);
    case 'port':
      return backend.setPortUp(request.up);
    case 'begin':
    case 'end':
    case 'settle':
      return backend[request.what]();
  }
}

/** The answer to a request, or the error that it ended with. */
export async function answerOf(pending: Promise<unknown>): Promise<Answer> {
  return pending.then(answerIn, errorIn);
}

function answerIn(answer: unknown): Answer {
  if (!isTimed(answer)) return { text: textOf(answer), time: '' };
  const { startedAt, durationUs, ...rest } = answer;
  return { text: textOf(rest), time: `${startedAt} ${durationUs}` };
}

function errorIn(error: unknown): Answer {
  return { text: String(error), time: '' };
}

function isTimed(answer: unknown): answer is RawResult {
  return typeof answer === 'object' && answer !== null && 'durationUs' in answer;
}

function textOf(answer: unknown): string {
  if (answer === undefined) return 'nothing';
  return JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** A backend that keeps the history of each scenario. */
export class RememberingBackend implements Backend {
  constructor(
    readonly backend: Backend,
    readonly node: string,
    readonly remember: (event: HistoryEvent) => void,
    readonly nextId: () => number,
  ) {}

  get dut(): Dut {
    return this.backend.dut;
  }

  call(verb: VerbName, args: TraceStruct): Promise<RawResult> {
    return this.#remembered({ what: 'call', verb, args }) as Promise<RawResult>;
  }

  begin(): Promise<void> {
    return this.#remembered({ what: 'begin' }) as Promise<void>;
  }

  end(): Promise<readonly Handle[]> {
    return this.#remembered({ what: 'end' }) as Promise<readonly Handle[]>;
  }

  settle(): Promise<void> {
    return this.#remembered({ what: 'settle' }) as Promise<void>;
  }

  pause(ms: number): Promise<void> {
    return this.#remembered({ what: 'pause', ms }) as Promise<void>;
  }

  setPortUp(up: boolean): Promise<void> {
    return this.#remembered({ what: 'port', up }) as Promise<void>;
  }

  nowMs(): number {
    const nowMs = this.backend.nowMs();
    this.remember({ kind: 'clock', node: this.node, nowMs });
    return nowMs;
  }

  /** The answer is remembered before whoever made the request hears of it, and makes the next one. */
  async #remembered(request: Request): Promise<unknown> {
    const id = this.nextId();
    this.remember({ kind: 'request', id, node: this.node, request });
    try {
      const answer = await make(request, this.backend);
      this.remember({ kind: 'answer', id, ...answerIn(answer) });
      return answer;
    } catch (error) {
      this.remember({ kind: 'answer', id, ...errorIn(error) });
      throw error;
    }
  }
}
