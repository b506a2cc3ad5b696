import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DutHung, type Context } from '../../contract';
import { soundParts } from '../device/device';
import { Prover } from './prover';

/** More turns of the event loop than a call waits in vain. */
const ample = 10_000;

async function prover(): Promise<{ driver: Prover; context: Context }> {
  const driver = new Prover(soundParts);
  await driver.begin();
  return { driver, context: await driver.openDevice(driver.dut.hcaId) };
}

describe('the simulator of the proof', () => {
  it('tells of a call that waits when nobody calls any more', async () => {
    const { driver, context } = await prover();
    const hung = (error: unknown): boolean =>
      error instanceof DutHung && error.message.includes('ibv_get_async_event() waited for ever');
    await assert.rejects(driver.getAsyncEvent(context), hung);
  });

  it('lets a call wait as long as others are made', async () => {
    const { driver, context } = await prover();
    const got = driver.getAsyncEvent(context);
    for (let turn = 0; turn < ample; turn++) {
      await setImmediate();
      if (turn % 1000 === 0) await driver.pause(1);
    }
    await driver.setPortUp(false);
    assert.equal((await got).eventType, 'IBV_EVENT_PORT_ERR');
  });

  it('tells nothing of a call that still waits when its scenario has ended', async () => {
    const { driver, context } = await prover();
    let told = false;
    driver.getAsyncEvent(context).catch(() => (told = true));
    await driver.end();
    for (let turn = 0; turn < ample; turn++) await setImmediate();
    assert.equal(told, false);
  });
});
