import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DutHung, type Driver } from './contract';
import { createDriver } from './sim';

/** A simulator with a get under way of an event that nothing brings, and what became of it. */
async function waiting({ mock }: TestContext): Promise<{ driver: Driver; error: () => unknown }> {
  mock.timers.enable({ apis: ['setTimeout'] });
  const driver = await createDriver({ progress: () => undefined });
  await driver.begin();
  let told: unknown;
  driver.getAsyncEvent(await driver.openDevice()).catch((error: unknown) => (told = error));
  return { driver, error: () => told };
}

describe('a driver in this process', () => {
  it('tells of a call that hangs, by its name and the time that it has waited', async (context) => {
    const { driver, error } = await waiting(context);
    context.mock.timers.tick(4999);
    await driver.settle();
    assert.equal(error(), undefined);
    context.mock.timers.tick(1);
    await driver.settle();
    assert.ok(error() instanceof DutHung);
    assert.match(String(error()), /ibv_get_async_event\(\) waited 5000 ms/);
  });

  it('tells nothing of a call that still waits when its scenario has ended', async (context) => {
    const { driver, error } = await waiting(context);
    await driver.end();
    context.mock.timers.tick(60_000);
    await driver.settle();
    assert.equal(error(), undefined);
  });
});
