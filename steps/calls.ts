import { HarnessError } from '../drivers/contract';
import { objectRefOf } from './object-ref';
import type { VerbsWorld } from './world';

/** A call that a scenario begins and looks at: it may succeed, be refused or block. */
export interface Call {
  /** As the feature says it: `destroying CQ "recv_cq"`. */
  readonly phrase: string;
  start(world: VerbsWorld): Promise<unknown>;
}

interface CallKind {
  readonly pattern: RegExp;
  readonly start: (world: VerbsWorld, words: Readonly<Record<string, string>>) => Promise<unknown>;
}

const object = '(?<object>(?:CQ|QP|SRQ|completion channel) "[^"]*")';
const channel = 'completion channel "(?<channel>[^"]*)"';
const cq = 'CQ "(?<cq>[^"]*)"';

const say = (source: string): RegExp => new RegExp(source);

/** What can be called in this way. The words of a call are what the verb does, its arguments included. */
const kinds: readonly CallKind[] = [
  {
    pattern: say(`destroying ${object}`),
    start: (world, { object = '' }) => world.destroy(objectRefOf(object)),
  },
  {
    pattern: say(`getting an event from ${channel}`),
    start: (world, { channel = '' }) => world.owed.takeCqEvent(world.channels.get(channel)),
  },
  {
    pattern: say('getting an asynchronous event'),
    start: async (world) => world.owed.takeAsyncEvent(await world.context()),
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
    pattern: say('creating a CQ of (?<cqe>-?\\d+) entr(?:y|ies)'),
    start: (world, { cqe }) => world.newCq({ cqe: Number(cqe) }),
  },
  {
    pattern: say('creating a CQ of more entries than the device allows'),
    start: async (world) => world.newCq({ cqe: (await world.driver.queryDevice(await world.context())).maxCqe + 1 }),
  },
  {
    pattern: say('creating a CQ with completion vector (?<vector>-?\\d+)'),
    start: (world, { vector }) => world.newCq({ cqe: 1, compVector: Number(vector) }),
  },
  {
    pattern: say('resizing ' + cq + ' to (?<cqe>-?\\d+) entr(?:y|ies)'),
    start: (world, { cq = '', cqe }) => world.driver.resizeCq(world.cqs.get(cq), Number(cqe)),
  },
  {
    pattern: say('arming ' + cq),
    start: (world, { cq = '' }) => world.driver.reqNotifyCq(world.cqs.get(cq), 0),
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
  for (const { pattern, start } of kinds) {
    const match = new RegExp(`^${pattern.source}$`).exec(phrase);
    if (match !== null) return { phrase, start: (world) => start(world, match.groups ?? {}) };
  }
  throw new HarnessError(`"${phrase}" is no call`);
}

async function withoutFreeDescriptors<T>(world: VerbsWorld, action: () => Promise<T>): Promise<T> {
  await world.context();
  await world.driver.limitOpenFiles(0);
  try {
    return await action();
  } finally {
    await world.driver.limitOpenFiles(undefined);
  }
}
