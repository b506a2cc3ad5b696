import { Given, When } from '@cucumber/cucumber';
import { HarnessError } from '../../drivers/contract';
import type { Place } from '../world/place';
import type { VerbsWorld } from '../world/world';
import { otherUses, useBatch, useFurther, useOthers } from './other-objects';

/** Other objects are made, used and destroyed; calls are refused. */
When('the program uses {others}', async function (this: VerbsWorld, others: string) {
  const cq = /^CQ "([^"]*)" in other ways$/.exec(others)?.[1];
  if (cq !== undefined) return useOthers(this, (world) => useFurther(world, world.cqs.get(cq)));
  const [, extended, stamps] = /^a batch of CQ "([^"]*)"( with time stamps)?$/.exec(others) ?? [];
  if (extended !== undefined)
    return useBatch(this, this.cqs.get(extended), stamps === undefined ? [] : ['completion_ts']);
  const use = otherUses[others];
  if (use === undefined) throw new HarnessError(`"${others}" are no other objects`);
  return useOthers(this, use);
});

/** What is made from then on is made there; what was made before stays where it is. */
Given('the program works on {place}', function (this: VerbsWorld, place: Place) {
  this.goTo(place(this));
});
