import { UsageError } from '../contract';
import type { NetworkConditions } from './network/conditions';

/** A condition as the user names it. */
interface Named {
  readonly member: keyof NetworkConditions;
  readonly most: number;
}

/** Virtual microseconds: a second. */
const delayUsMax = 1_000_000;

const conditions: Readonly<Record<string, Named>> = {
  delay: { member: 'oneWayDelayMeanUs', most: delayUsMax },
  'min-delay': { member: 'oneWayDelayMinUs', most: delayUsMax },
  loss: { member: 'packetLossProbability', most: 1 },
  replay: { member: 'packetReplayProbability', most: 1 },
  reorder: { member: 'packetReorderProbability', most: 1 },
  seed: { member: 'seed', most: 0xffff_ffff },
};

/** The seed of a network of which only the chances were named. */
const seedsMax = 1_000_000;

/**
 * The network that the user asks for with `--network`, such as `loss=0.1,delay=20`. It gets a seed where it has none, so
 * that it can be asked for again.
 *
 * @throws UsageError naming the condition that there is not
 */
export function networkOf(text: string): NetworkConditions {
  const asked = Object.fromEntries(text.split(',').map(conditionOf));
  const { oneWayDelayMinUs = 0 } = asked;
  return {
    seed: Math.floor(Math.random() * seedsMax),
    oneWayDelayMinUs,
    oneWayDelayMeanUs: oneWayDelayMinUs,
    packetLossProbability: 0,
    packetReplayProbability: 0,
    packetReorderProbability: 0,
    ...asked,
  };
}

function conditionOf(text: string): [keyof NetworkConditions, number] {
  const [, name = '', digits = ''] = /^([a-z-]+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const named = Object.hasOwn(conditions, name) ? conditions[name] : undefined;
  const value = Number(digits);
  if (named !== undefined && value <= named.most) return [named.member, value];
  throw new UsageError(
    `--network has no condition ${JSON.stringify(text)}`,
    'the conditions are delay=US, min-delay=US, loss=P, replay=P, reorder=P and seed=N, with probabilities up to 1',
  );
}

/** The text that asks for this network again. */
export function networkText(network: NetworkConditions): string {
  return Object.entries(conditions)
    .map(([name, { member }]) => `${name}=${network[member]}`)
    .join(',');
}
