import type { TraceStruct } from '../../../contract';
import { descriptions, type VerbName } from '../../../verbs';
import type { Type } from '../../../verbs/idl';
import type { Description } from '../../../verbs/verb';
import type { Parts } from '../../device/device';
import { Refusal } from '../../refusal';
import type { Success } from '../../return-values';
import type { PartName } from './registry';

/** What happens around the moment at which a fault acts. */
export interface Moment {
  /** It is about to happen to these objects. */
  before(named: ReadonlySet<object>): void;
  /** It has happened. */
  after(named: ReadonlySet<object>): void;
}

/** A moment at which the model's state may be spoilt. */
export interface Trigger {
  /** `ibv_resize_cq`, `ibv_resize_cq refused`, `a completion`. */
  readonly name: string;
  /** A C function without which it does not happen. */
  readonly verb?: VerbName;
  /** The classes whose objects it is about. */
  readonly parts: ReadonlySet<PartName>;
  /** The classes of which it makes an object, which has no state yet. */
  readonly makes: ReadonlySet<PartName>;
  /** Those of which it ends one. */
  readonly ends: ReadonlySet<PartName>;
  /** Pieces of state that it spends itself, before the fault has its say. */
  readonly spends: ReadonlySet<string>;
  readonly isRefusal: boolean;
  /** Whether it does something to them, as far as its description tells. */
  readonly mayChange: boolean;
  /** The classes that tell of the moment, over other ones. */
  tellingOf(parts: Parts, moment: Moment): Partial<Parts>;
}

/** The classes of the model that an object of a program stands for. */
const partsOfKind: Readonly<Record<string, readonly PartName[]>> = {
  context: ['Context', 'AsyncEvents'],
  channel: ['CompChannel'],
  cq: ['Cq', 'CqIterator'],
  qp: ['Qp', 'Requester', 'Transmitter', 'Responder'],
  srq: ['Srq'],
  memory: ['MemoryTable'],
  mr: ['MemoryTable'],
  mw: ['MemoryTable'],
  event: ['AsyncEvents', 'Cq'],
};

/** All moments: each verb when it has succeeded and when it has refused, and each delivery. */
export function triggersOfModel(): readonly Trigger[] {
  const verbs = calledVerbs();
  return [
    ...verbs.map((one) => verbTrigger(one, 'succeeded')),
    ...verbs.filter(({ fails }) => fails !== 'never').map((one) => verbTrigger(one, 'refused')),
    ...deliveries,
  ];
}

/** What scenarios call: one description of a C function that has several. */
export function calledVerbs(): readonly Description[] {
  const called = descriptions.filter(({ internal, explored }) => internal === undefined && explored === undefined);
  return [...new Map(called.map((one) => [one.c, one])).values()];
}

function verbTrigger(description: Description, outcome: 'succeeded' | 'refused'): Trigger {
  const verb = description.c as VerbName;
  return {
    name: outcome === 'refused' ? `${verb} refused` : verb,
    verb,
    parts: partsOf(description),
    makes: new Set(partsOfKind[description.makes ?? '']),
    ends: new Set(outcome === 'succeeded' ? partsOfKind[description.ends ?? ''] : []),
    spends: new Set(),
    isRefusal: outcome === 'refused',
    mayChange: outcome === 'succeeded' && (description.fails !== 'never' || description.out === undefined),
    tellingOf: ({ Verbs }, moment) => ({ Verbs: tellingVerbs(Verbs, verb, outcome, moment) }),
  };
}

function partsOf({ in: args, makes }: Description): ReadonlySet<PartName> {
  const types = args.flatMap((argument) => Object.values(argument));
  const kinds = [...types.flatMap(kindsIn), ...(makes === undefined ? [] : [makes])];
  return new Set(kinds.flatMap((kind) => partsOfKind[kind] ?? []));
}

/** The kinds of object that a value of a type names. */
function kindsIn(type: Type): readonly string[] {
  switch (type.is) {
    case 'object':
      return type.kinds;
    case 'either':
      return type.object.kinds;
    case 'nullable':
      return kindsIn(type.of);
    case 'list':
      return kindsIn(type.item);
    case 'struct':
      return [...Object.values(type.members), ...Object.values(type.optional)].flatMap(kindsIn);
    case 'boolean':
    case 'bytes':
    case 'constant':
    case 'enum':
    case 'flags':
    case 'number':
    case 'text':
    case 'word':
      return [];
  }
}

function tellingVerbs(
  Base: Parts['Verbs'],
  verb: VerbName,
  outcome: 'succeeded' | 'refused',
  moment: Moment,
): Parts['Verbs'] {
  return class extends Base {
    override call(name: VerbName, args: TraceStruct): Success | Promise<Success> {
      if (name !== verb) return super.call(name, args);
      const named = this.#objectsIn(args);
      moment.before(named);
      const succeeded = (success: Success): Success => {
        if (outcome === 'succeeded') moment.after(new Set([...named, ...this.#objectsIn(success.returned)]));
        return success;
      };
      const refused = (error: unknown): never => {
        if (outcome === 'refused' && error instanceof Refusal) moment.after(named);
        throw error;
      };
      return concluded(() => super.call(name, args), succeeded, refused);
    }

    /** The objects that a call names, and those that they consist of. */
    #objectsIn(value: unknown): ReadonlySet<object> {
      const objects = handlesIn(value).flatMap((handle) => this.model.handles.find(handle) ?? []);
      return new Set(objects.flatMap((object) => [object, ...constituentsOf(object)]));
    }
  };
}

function concluded(
  call: () => Success | Promise<Success>,
  succeeded: (success: Success) => Success,
  refused: (error: unknown) => never,
): Success | Promise<Success> {
  try {
    const success = call();
    return success instanceof Promise ? success.then(succeeded, refused) : succeeded(success);
  } catch (error) {
    return refused(error);
  }
}

/** Handles are the only texts with a number sign: `cq#3`. */
function handlesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.includes('#') ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(handlesIn);
}

/** An event stands for its queue and what it names; a QP consists of several objects. */
const constituents: ReadonlySet<string> = new Set([
  'asyncEvents',
  'iterator',
  'requester',
  'responder',
  'queue',
  'event',
  'element',
]);

function constituentsOf(object: object): object[] {
  return Object.entries(object).flatMap(([key, value]: [string, unknown]) =>
    constituents.has(key) && typeof value === 'object' && value !== null ? [value, ...constituentsOf(value)] : [],
  );
}

/** What comes into a queue by itself. */
const deliveries: readonly Trigger[] = [
  {
    name: 'a completion',
    parts: new Set(['Cq', 'CqIterator']),
    makes: new Set(),
    ends: new Set(),
    spends: new Set(),
    isRefusal: false,
    mayChange: true,
    tellingOf: ({ Cq }, moment) => ({
      Cq: class extends Cq {
        override add(...args: Parameters<InstanceType<Parts['Cq']>['add']>): void {
          const named = new Set([this, this.iterator]);
          moment.before(named);
          super.add(...args);
          moment.after(named);
        }
      },
    }),
  },
  {
    name: 'a completion event',
    parts: new Set(['CompChannel', 'Cq']),
    makes: new Set(),
    ends: new Set(),
    spends: new Set(['Cq.request']),
    isRefusal: false,
    mayChange: true,
    tellingOf: ({ CompChannel }, moment) => ({
      CompChannel: class extends CompChannel {
        override add(...args: Parameters<InstanceType<Parts['CompChannel']>['add']>): void {
          const named = new Set([this, ...args]);
          moment.before(named);
          super.add(...args);
          moment.after(named);
        }
      },
    }),
  },
  {
    name: 'an asynchronous event',
    parts: new Set(['AsyncEvents', 'Cq', 'Qp', 'Srq']),
    makes: new Set(),
    ends: new Set(),
    spends: new Set(),
    isRefusal: false,
    mayChange: true,
    tellingOf: ({ AsyncEvents }, moment) => ({
      AsyncEvents: class extends AsyncEvents {
        override add(...args: Parameters<InstanceType<Parts['AsyncEvents']>['add']>): void {
          const named = new Set([this, ...constituentsOf(args[0]), args[0]]);
          moment.before(named);
          super.add(...args);
          moment.after(named);
        }
      },
    }),
  },
];
