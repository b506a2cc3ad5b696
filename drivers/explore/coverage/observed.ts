import { errnoName, type TraceStruct } from '../../contract';
import type { EventFile } from '../../sim/channel/event-file';
import { EventSource } from '../../sim/channel/event-file';
import type { Cq } from '../../sim/cq/cq';
import type { Device, Parts } from '../../sim/device/device';
import type { Handles } from '../../sim/handles';
import { Refusal } from '../../sim/refusal';
import type { Success } from '../../sim/return-values';
import type { VerbName } from '../../verbs';
import type { SeeCell, Situation } from './cell';
import { hasToWait, situationOf, type Scene } from './operations';
import { happenings } from './happenings';

/** What an observer keeps of one device. */
class Notes {
  readonly #gets = new WeakMap<EventFile<unknown>, number>();
  readonly #batches = new WeakSet<Cq>();

  waitingGets = (file: EventFile<unknown>): number => this.#gets.get(file) ?? 0;
  isInBatch = (cq: Cq): boolean => this.#batches.has(cq);

  changeGets(file: EventFile<unknown>, by: number): void {
    this.#gets.set(file, this.waitingGets(file) + by);
  }

  seeBatch(cq: Cq, isOpen: boolean): void {
    if (isOpen) this.#batches.add(cq);
    else this.#batches.delete(cq);
  }
}

/** The classes of a simulator that say of each call, and of what happens by itself, which cell it is in. */
export function observed(base: Parts, see: SeeCell): Parts {
  const notes = new Notes();
  return { ...base, ...happenings(base, notes, see), Verbs: observedVerbs(base, notes, see) };
}

/** What is known of a device beside it, for who wants to know in which situation a call would be. */
export interface Observing {
  situationOf(verb: VerbName, args: TraceStruct): Situation | undefined;
}

function observedVerbs(base: Parts, notes: Notes, see: SeeCell): Parts['Verbs'] {
  return class extends base.Verbs implements Observing {
    get #scene(): Scene {
      const { device, handles } = this.model as { readonly device: Device; readonly handles: Handles };
      return {
        device,
        find: (handle) => handles.find(handle),
        waitingGets: notes.waitingGets,
        isInBatch: notes.isInBatch,
      };
    }

    situationOf(verb: VerbName, args: TraceStruct): Situation | undefined {
      return situationOf(verb, args, this.#scene);
    }

    override call(verb: VerbName, args: TraceStruct): Success | Promise<Success> {
      const scene = this.#scene;
      const situation = situationOf(verb, args, scene);
      if (situation === undefined) return super.call(verb, args);
      const waits = hasToWait(verb, args, scene);
      const object = scene.find(firstIn(args));
      const tell = (outcome: string): void => {
        if (verb === 'ibv_start_poll') notes.seeBatch(object as Cq, outcome === 'done');
        if (verb === 'ibv_end_poll') notes.seeBatch(object as Cq, false);
        see({ ...situation, outcome });
      };
      const told = (success: Success): Success => {
        tell(`${outcomeOf(verb, args, success)}${waits ? ' after a wait' : ''}`);
        return success;
      };
      const file = waits && object instanceof EventSource ? object.eventFile : undefined;
      return watched(() => super.call(verb, args), { told, tell, waits, file, notes });
    }
  };
}

/** Who hears what comes of a call. */
interface Watch {
  readonly told: (success: Success) => Success;
  readonly tell: (outcome: string) => void;
  readonly waits: boolean;
  /** Out of which it waits for an event. */
  readonly file: EventFile<unknown> | undefined;
  readonly notes: Notes;
}

function watched(call: () => Success | Promise<Success>, watch: Watch): Success | Promise<Success> {
  try {
    const result = call();
    return result instanceof Promise ? watchedPromise(result, watch) : watch.told(result);
  } catch (error) {
    if (error instanceof Refusal) watch.tell(errnoName(error.errno));
    throw error;
  }
}

async function watchedPromise(result: Promise<Success>, watch: Watch): Promise<Success> {
  const { told, tell, waits, file, notes } = watch;
  if (file !== undefined) notes.changeGets(file, 1);
  let hasReturned = false;
  const waiting = result.finally(() => {
    hasReturned = true;
    if (file !== undefined) notes.changeGets(file, -1);
  });
  if (waits) {
    void Promise.resolve().then(() => {
      if (!hasReturned) tell('waits');
    });
  }
  try {
    return told(await waiting);
  } catch (error) {
    if (error instanceof Refusal) tell(errnoName(error.errno));
    throw error;
  }
}

function firstIn(args: TraceStruct): string {
  const [first] = Object.values(args);
  return typeof first === 'string' ? first : '';
}

function outcomeOf(verb: VerbName, { numEntries }: TraceStruct, { returned, outputs }: Success): string {
  if (verb === 'ibv_get_async_event') return typeof outputs.eventType === 'string' ? outputs.eventType : '';
  if (verb === 'ibv_get_cq_event') return 'an event';
  if (verb === 'poll') return returned === 1 ? 'POLLIN' : 'time is up';
  if (verb !== 'ibv_poll_cq') return 'done';
  return returned === 0 ? 'none' : returned === numEntries ? 'as many' : 'fewer';
}
