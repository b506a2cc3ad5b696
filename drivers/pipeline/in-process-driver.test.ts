import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DutHung, UsageError, type Driver, type DriverOptions } from '../contract';
import { createDriver } from '../sim';

/** A simulator with a get under way of an event that nothing brings, and what became of it. */
async function waiting({ mock }: TestContext): Promise<{ driver: Driver; error: () => unknown }> {
  mock.timers.enable({ apis: ['setTimeout'] });
  const driver = await createDriver({ progress: () => undefined });
  await driver.begin();
  let told: unknown;
  driver.getAsyncEvent(await driver.openDevice(driver.dut.hcaId)).catch((error: unknown) => (told = error));
  return { driver, error: () => told };
}

describe('a driver in this process', () => {
  it('reports a call that hangs, by its name and the time that it has waited', async (context) => {
    const { driver, error } = await waiting(context);
    context.mock.timers.tick(4999);
    await driver.settle();
    assert.equal(error(), undefined);
    context.mock.timers.tick(1);
    await driver.settle();
    assert.ok(error() instanceof DutHung);
    assert.match(String(error()), /ibv_get_async_event\(\) waited 5000 ms/);
  });

  it('reports nothing of a call that still waits when its scenario has ended', async (context) => {
    const { driver, error } = await waiting(context);
    await driver.end();
    context.mock.timers.tick(60_000);
    await driver.settle();
    assert.equal(error(), undefined);
  });
});

/** What the simulator says of options, `none` where it takes them. */
async function refusalOf(options: Omit<DriverOptions, 'progress'>): Promise<string> {
  try {
    await createDriver({ progress: () => undefined, ...options });
    return 'none';
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return error.message;
  }
}

describe('the options of a driver in this process', () => {
  for (const [option, value] of [
    ['kernel', '6.1'],
    ['module', 'rdma_rxe.ko'],
    ['rdmaCore', '/opt/rdma-core'],
    ['host', 'node1'],
  ] as const) {
    it(`say nothing of where it runs: ${option} is refused`, async () => {
      assert.match(await refusalOf({ [option]: value }), /^--driver sim takes no --/);
    });
  }

  it('may name the one device that it has, and no other', async () => {
    assert.equal(await refusalOf({ ibDev: 'sim0', ibPort: 1, gidIndex: 0 }), 'none');
    assert.match(await refusalOf({ ibDev: 'mlx5_0' }), /^--driver sim has no --ib-dev "mlx5_0"/);
    assert.match(await refusalOf({ ibPort: 2 }), /^--driver sim has no --ib-port 2/);
    assert.match(await refusalOf({ gidIndex: 1 }), /^--driver sim has no --gid-index 1/);
  });

  it('may set an MTU that its port carries', async () => {
    assert.equal(await refusalOf({ mtu: 1024 }), 'none');
    assert.match(await refusalOf({ mtu: 2048 }), /^--mtu 2048 is more than port 1 of sim0 carries/);
  });
});
