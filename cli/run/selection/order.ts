import { randomInt } from 'node:crypto';
import type { IPickleOrder, IRunConfiguration } from '@cucumber/cucumber/api';
import { UsageError } from '../../../drivers/contract';

/**
 * The order for scenarios as Cucumber takes it; a random one gets a seed where it has none, so that it can be repeated.
 *
 * @throws UsageError for any other order
 */
export function orderWithSeed(order: string): IPickleOrder {
  if (order === 'defined' || order === 'reverse') return order;
  if (order === 'random') return `random:${randomInt(1_000_000)}`;
  const seed = /^random:([\w.-]+)$/.exec(order)?.[1];
  if (seed !== undefined) return `random:${seed}`;
  throw new UsageError(`there is no order "${order}"`, 'use defined, reverse, random or random:SEED');
}

/** The order of a run if it is not that of the features. */
export function otherOrder({ configuration }: { readonly configuration: IRunConfiguration }): string | undefined {
  const { order } = configuration.sources;
  return order === 'defined' ? undefined : order;
}
