import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { it } from 'node:test';
import { capabilities, DutCrashed, UsageError, type Capability } from '../../contract';
import type { HostProcess } from '../carriers/carrier';
import { LocalCarrier } from '../carriers/local-carrier';
import { startDriver } from './start';
import { within } from '../../support/timeout';

/** Milliseconds after which a host process is taken to stay. */
const patienceMs = 120_000;

const root = resolve(__dirname, '..', '..', '..');

/** The simulator in a host process, which may crash or hang at a verb. */
const simHost = (...fate: string[]): string[] => [
  '--require',
  join(root, 'ci', 'typescript.js'),
  join(root, 'cli', 'fixtures', 'sim-host.ts'),
  ...fate,
];

const limits = { eventMs: 10_000, quietMs: 10 };
const options = { device: 'sim0', portNum: 1, gidIndex: 0, limits, progress: () => undefined };

/** Keeps the host process that it has started. */
class KeepingCarrier extends LocalCarrier {
  host: HostProcess | undefined;
  starts = 0;

  override async start(session: number): Promise<HostProcess> {
    this.starts++;
    this.host = await super.start(session);
    return this.host;
  }
}

it('a driver has the limits and the capabilities that its device has shown, also in a new host process', async (test) => {
  const carrier = new KeepingCarrier({ nodeArgs: simHost() });
  const driver = await startDriver(carrier, options, 512);
  test.after(() => driver.close());
  const shown = capabilities.filter((name) => name !== 'port-control');
  assert.deepEqual([driver.dut.hcaId, driver.limits.eventMs, driver.pathMtu], ['sim0', limits.eventMs, 512]);
  assert.deepEqual([driver.dut.capabilities, carrier.starts], [shown, 1]);
  carrier.host?.kill();
  await assert.rejects(driver.openDevice('sim0'), DutCrashed);
  await driver.begin();
  assert.deepEqual([driver.dut.capabilities, carrier.starts], [shown, 2]);
});

const ways: readonly (readonly [string, string, Capability, RegExp])[] = [
  ['crash', 'ibv_alloc_mw', 'memory-windows', /died of SIGSEGV in ibv_alloc_mw\(/],
  ['hang', 'ibv_modify_cq', 'cq-moderation', /ibv_modify_cq\(.* did not return within 3 s/],
];
for (const [fate, verb, lack, reason] of ways) {
  it(`a ${fate} in a trial is reported in a line, costs its capability, and takes a new host process`, async (test) => {
    const told: string[] = [];
    const carrier = new KeepingCarrier({ nodeArgs: simHost(fate, verb) });
    const progress = (line: string) => told.push(line);
    const driver = await startDriver(carrier, { ...options, slowness: 0.3, progress });
    test.after(() => driver.close());
    const lacks = capabilities.filter((name) => !driver.dut.capabilities.includes(name));
    assert.deepEqual([lacks, told.length, carrier.starts], [[lack, 'port-control'], 1, 2]);
    assert.match(told[0] ?? '', new RegExp(`^the trial of ${lack} failed, and it counts as lacking: `));
    assert.match(told[0] ?? '', reason);
    await driver.begin();
  });
}

it('an MTU that the port cannot carry is refused, and leaves no host process', async () => {
  const carrier = new KeepingCarrier({ nodeArgs: simHost() });
  await assert.rejects(startDriver(carrier, options, 2048), UsageError);
  assert.ok(carrier.host);
  const exit = await within(patienceMs, carrier.host.ended);
  assert.equal(exit?.signal, 'SIGKILL');
  await carrier.close();
});
