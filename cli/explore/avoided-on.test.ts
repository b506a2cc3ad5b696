import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as all from '../../drivers/explore/generate/avoided';
import { untilNothingHappens } from '../../drivers/programs/run-program';
import { SimBackend } from '../../drivers/sim/backend';
import { soundParts, type Parts } from '../../drivers/sim/device/device';
import { simulatedDut } from '../../drivers/sim/device/dut';
import { Refusal } from '../../drivers/sim/refusal';
import { avoidedOn } from './avoided-on';

const refusingFlags: Parts = {
  ...soundParts,
  Device: class extends soundParts.Device {
    override createCqEx(...args: Parameters<InstanceType<Parts['Device']>['createCqEx']>) {
      const [, { flags }] = args;
      if (flags.includes('IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN')) throw new Refusal('EOPNOTSUPP');
      return super.createCqEx(...args);
    }
  },
};

const withoutExtended = {
  ...simulatedDut,
  capabilities: simulatedDut.capabilities.filter((one) => one !== 'extended-cq'),
};

/** The clauses around which programs are made for a device that does not keep some. */
async function avoided(backend: SimBackend, ...notKept: readonly string[]): Promise<readonly string[]> {
  return [...(await avoidedOn(backend, untilNothingHappens, new Set(notKept), true))];
}

test('programs are made around the clauses that a device does not keep, if they can be', async () => {
  // Whether these are to be avoided, the device itself is asked.
  const asked: readonly unknown[] = [all.ignoringOverruns, all.linkOfOthers];
  const clauses = Object.values(all).flatMap((one) => (typeof one === 'string' ? [one as string] : []));
  const lasting = clauses.filter((one) => !asked.includes(one));
  const found = await avoided(new SimBackend(soundParts), ...lasting, 'ibv_poll_cq.field-wr-id');
  assert.deepEqual(found.toSorted(), lasting.toSorted());
  assert.deepEqual(await avoided(new SimBackend(soundParts)), []);
});

test('programs ask for no CQ that a device refuses when it is asked', async () => {
  assert.deepEqual(await avoided(new SimBackend(refusingFlags)), [all.ignoringOverruns]);
  assert.deepEqual(await avoided(new SimBackend(refusingFlags, undefined, withoutExtended)), []);
});

test('programs move no link that is not theirs, nor one that nobody reaches while they run', async () => {
  const capabilities = simulatedDut.capabilities.filter((one) => one !== 'port-control');
  const of = async (backend: SimBackend, isReached: boolean): Promise<readonly string[]> => [
    ...(await avoidedOn(backend, untilNothingHappens, new Set(), isReached)),
  ];
  assert.deepEqual(await of(new SimBackend(soundParts, undefined, { ...simulatedDut, capabilities }), true), [
    all.linkOfOthers,
  ]);
  assert.deepEqual(await of(new SimBackend(soundParts), false), [all.linkOfOthers]);
});
