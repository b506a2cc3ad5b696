import { nextTurn } from '../../pipeline/turns';
import type { Backend } from '../../pipeline/backend';
import { PeerBackend, SimBackend } from '../backend';
import type { Parts } from '../device/device';
import { peerDut } from '../device/dut';
import { Testbed } from '../testbed';
import { answerOf, make, type Answer, type History, type Request } from './history';

/** Microtasks in which almost every call returns, which is sooner than a turn of the event loop. */
const hopsMax = 16;

/** Turns of the event loop in which a call returns that returns at all while nobody makes another one. */
const turnsMax = 3;

/** Requests by which a scenario lets time pass. */
const passing: ReadonlySet<string> = new Set(['pause', 'settle']);

/** C functions that give a time. */
const giveTime: ReadonlySet<string> = new Set(['ibv_wc_read_completion_ts']);

/** Where a scenario first runs otherwise than it did. */
export interface Divergence {
  /** The C function that gave something else, or what else was asked of the simulator. */
  readonly at: string;
  /** What it gave, and what it gives, if anything. */
  readonly before?: string;
  readonly now?: string | undefined;
}

/**
 * Makes the requests of a scenario again, of other classes of the simulator. As long as each gets the answer that it got,
 * the scenario itself could not but make the same requests: it runs as it did, with the same verdict.
 *
 * @returns where that ends; `undefined` if the scenario runs as before
 */
export async function divergence(parts: Parts, history: History): Promise<Divergence | undefined> {
  const testbed = new Testbed();
  return new Replay({
    left: new SimBackend(parts, testbed),
    right: new PeerBackend(parts, testbed, peerDut),
  }).run(history);
}

/** What happens when the requests of a scenario are made again. */
class Replay {
  readonly #requests = new Map<number, Request>();
  /** Answers that have come, and that had not come in the history so far. */
  readonly #answers = new Map<number, Answer>();
  /** Requests without an answer in the history so far. */
  readonly #open = new Set<number>();
  /** Those among them that had none either when the scenario had let time pass. */
  readonly #waiting = new Set<number>();
  /** Those among them whose answer had come before time last passed. */
  #answered: readonly number[] = [];
  #late: Divergence | undefined;

  constructor(readonly backends: Readonly<Record<string, Backend>>) {}

  /** Requests that were made at once are made at once again: nothing is awaited but answers, and calls that wait. */
  async run(history: History): Promise<Divergence | undefined> {
    for (const event of history) {
      let found: Divergence | undefined;
      if (event.kind === 'clock') this.#seeTime(this.#backend(event.node).nowMs() === event.nowMs);
      else if (event.kind === 'answer') found = (await this.#compare(event.id, event)) ?? this.#early(event.id);
      else {
        if (passing.has(event.request.what) && this.#waiting.size > 0) await this.#lookForAnswers();
        this.#make(event.id, event.node, event.request);
      }
      if (found !== undefined) return found;
    }
    await nextTurn();
    const [early] = [...this.#open].filter((id) => this.#answers.has(id));
    return early === undefined ? this.#late : this.#isEarly(early);
  }

  /** What differs in its time alone is looked at only if nothing else does. */
  #seeTime(isAsBefore: boolean): void {
    if (!isAsBefore) this.#late = { at: 'the clock' };
  }

  async #lookForAnswers(): Promise<void> {
    await nextTurn();
    this.#answered = [...this.#waiting].filter((id) => this.#answers.has(id));
  }

  #make(id: number, node: string, request: Request): void {
    this.#requests.set(id, request);
    this.#open.add(id);
    void answerOf(make(request, this.#backend(node))).then((answer) => this.#answers.set(id, answer));
  }

  #backend(node: string): Backend {
    const backend = this.backends[node];
    if (backend === undefined) throw new Error(`there is no node ${node}`);
    return backend;
  }

  /** A call that had its answer before time passed by this request, and waits longer in the history. */
  #early(passed: number): Divergence | undefined {
    if (!passing.has(this.#requests.get(passed)?.what ?? '')) return undefined;
    for (const id of this.#open) if (id < passed) this.#waiting.add(id);
    const early = this.#answered.find((id) => this.#open.has(id));
    return early === undefined ? undefined : this.#isEarly(early);
  }

  #isEarly(id: number): Divergence {
    return { at: this.#nameOf(id), now: this.#answers.get(id)?.text };
  }

  async #compare(id: number, before: Answer): Promise<Divergence | undefined> {
    for (let hop = 0; !this.#answers.has(id) && hop < hopsMax; hop++) await Promise.resolve();
    for (let turn = 0; !this.#answers.has(id) && turn < turnsMax; turn++) await nextTurn();
    const now = this.#answers.get(id);
    for (const ids of [this.#answers, this.#open, this.#waiting]) ids.delete(id);
    const at = this.#nameOf(id);
    const isAlike = now?.text === before.text;
    this.#seeTime(now?.time === before.time && (isAlike || !giveTime.has(at)));
    return isAlike || giveTime.has(at) ? undefined : { at, before: before.text, now: now?.text };
  }

  #nameOf(id: number): string {
    const request = this.#requests.get(id);
    return request?.what === 'call' ? request.verb : (request?.what ?? '');
  }
}
