import { HarnessError, type AccessFlag } from '../../drivers/contract';
import { flagsOf } from '../world/cells';
import { compVectorOf, createCq, tooManyEntries, type CqKind } from '../cq/cq-attributes';
import { pollForAMoment, takeOwnAsyncEvent, takeAsyncEventsUpTo } from '../channel/events';
import { isReadable } from '../channel/readable';
import { withoutFreeDescriptors } from '../channel/free-descriptors';
import { bindWindow } from '../mw/memory-windows';
import { objectRefOf } from '../world/object-ref';
import { placeOf, placePattern } from '../world/place';
import { unlimitedMs } from '../world/waits';
import type { Call, VerbsWorld } from '../world/world';

interface CallKind {
  readonly pattern: RegExp;
  /** See {@link CallOn.waits}; unless given, it does not. */
  readonly waits?: true;
  readonly start: (world: VerbsWorld, words: Readonly<Record<string, string>>) => Promise<unknown>;
}

const object = '(?<object>(?:CQ|QP|SRQ|completion channel) "[^"]*")';
const channel = 'completion channel "(?<channel>[^"]*)"';
const qp = 'QP "(?<owner>[^"]*)"';
const cq = 'CQ "(?<cq>[^"]*)"';
const creating = 'creating (?<kind>a CQ|an extended CQ)';
const access = '(?<access>IBV_ACCESS_\\w+(?: \\| IBV_ACCESS_\\w+)*)';
const entries = '(?<cqe>-?\\d+) entr(?:y|ies)';

const place = `(?<place>${placePattern.source})`;

const say = (source: string): RegExp => new RegExp(source);

/** What can be called in this way. The words of a call are what the verb does, its arguments included. */
const kinds: readonly CallKind[] = [
  {
    pattern: say(`destroying ${object}`),
    waits: true,
    start: (world, { object = '' }) => world.destroy(objectRefOf(object)),
  },
  {
    pattern: say(`getting an event from ${channel}`),
    waits: true,
    start: (world, { channel = '' }) => world.owed.takeCqEvent(world.channels.get(channel)),
  },
  {
    pattern: say('getting an asynchronous event'),
    waits: true,
    start: (world) => takeOwnAsyncEvent(world),
  },
  {
    pattern: say(`getting asynchronous events up to (?<eventType>IBV_EVENT_[A-Z_]+)(?: on ${place})?`),
    waits: true,
    start: (world, { eventType = '', place }) =>
      takeAsyncEventsUpTo(world, eventType, place === undefined ? world.here : placeOf(place)(world)),
  },
  {
    pattern: say('waiting with poll for an event on the asynchronous event queue'),
    waits: true,
    start: async (world) => isReadable(world.driver, await world.context(), unlimitedMs),
  },
  {
    pattern: say('waiting a moment with poll for an event on the asynchronous event queue'),
    waits: true,
    start: async (world) => pollForAMoment(world, await world.context()),
  },
  {
    pattern: say('creating a completion channel'),
    start: async (world) => world.newChannel(),
  },
  {
    pattern: say('creating a completion channel without a free file descriptor'),
    start: (world) => withoutFreeDescriptors(world, () => world.newChannel()),
  },
  {
    pattern: say(`${creating} of ${entries}`),
    start: (world, { kind, cqe }) => createCq(world, kind as CqKind, { cqe: Number(cqe) }),
  },
  {
    pattern: say(`${creating} of more entries than the device allows`),
    start: async (world, { kind }) => createCq(world, kind as CqKind, { cqe: await tooManyEntries(world) }),
  },
  {
    pattern: say(`${creating} of more entries than the device allows on ${channel}`),
    start: async (world, { kind, channel }) =>
      createCq(world, kind as CqKind, { cqe: await tooManyEntries(world) }, channel),
  },
  {
    pattern: say(`${creating} with completion vector (?<vector>-?\\d+|num_comp_vectors(?: - 1)?)`),
    start: async (world, { kind, vector = '' }) =>
      createCq(world, kind as CqKind, { compVector: await compVectorOf(world, vector) }),
  },
  {
    pattern: say(`resizing ${cq} to ${entries}`),
    start: (world, { cq = '', cqe }) => world.driver.resizeCq(world.cqs.get(cq), Number(cqe)),
  },
  {
    pattern: say(`resizing ${cq} to more entries than the device allows`),
    start: async (world, { cq = '' }) => world.driver.resizeCq(world.cqs.get(cq), await tooManyEntries(world)),
  },
  {
    pattern: say(`modifying ${cq} with attr_mask (?<mask>\\w+), cq_count (?<count>\\d+) and cq_period (?<period>\\d+)`),
    start: (world, { cq = '', mask = '', count, period }) => {
      const attr = { attrMask: flagsOf(mask), moderate: { cqCount: Number(count), cqPeriod: Number(period) } };
      return world.driver.modifyCq(world.cqs.get(cq), attr);
    },
  },
  {
    pattern: say(`opening a batch of ${cq}`),
    start: (world, { cq = '' }) => world.batches.open(world.cqs.get(cq)),
  },
  {
    pattern: say(`moving on to the next CQE of ${cq}`),
    start: (world, { cq = '' }) => world.driver.nextPoll(world.cqs.get(cq)),
  },
  {
    pattern: say('arming ' + cq),
    start: (world, { cq = '' }) => world.driver.reqNotifyCq(world.cqs.get(cq), 0),
  },
  {
    pattern: say('arming ' + cq + ' with solicited_only (?<value>-?\\d+)'),
    start: (world, { cq = '', value }) => world.driver.reqNotifyCq(world.cqs.get(cq), Number(value)),
  },
  {
    pattern: say(`waiting with poll for an event on ${channel}`),
    waits: true,
    start: (world, { channel = '' }) => isReadable(world.driver, world.channels.get(channel), unlimitedMs),
  },
  {
    pattern: say(`waiting a moment with poll for an event on ${channel}`),
    waits: true,
    start: (world, { channel = '' }) => pollForAMoment(world, world.channels.get(channel)),
  },
  {
    pattern: say(`binding memory window "(?<window>[^"]*)" onto memory "(?<memory>[^"]*)" by ${qp} with ${access}`),
    start: (world, { window: name = '', memory = '', owner = '', access = '' }) =>
      bindWindow(world, { name, memory, owner, access: flagsOf(access) as AccessFlag[] }),
  },
  {
    pattern: say('polling ' + cq),
    start: (world, { cq = '' }) => world.driver.pollCq(world.cqs.get(cq), 1),
  },
];

/** For the parameter type: the same patterns without groups, the longer before the shorter. */
export const callPatterns: readonly RegExp[] = kinds
  .map(({ pattern }) => pattern.source.replace(/\(\?<\w+>/g, '(?:'))
  .sort((one, other) => other.length - one.length)
  .map((source) => new RegExp(source));

/** The call that a phrase stands for. */
export function callOf(phrase: string): Call {
  for (const { pattern, waits = false, start } of kinds) {
    const match = new RegExp(`^${pattern.source}$`).exec(phrase);
    if (match !== null) return { phrase, waits, start: (world) => start(world, match.groups ?? {}) };
  }
  throw new HarnessError(`"${phrase}" is not a call`);
}
