import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { it } from 'node:test';
import { UsageError } from '../../contract';
import type { HostProcess } from '../carriers/carrier';
import { LocalCarrier } from '../carriers/local-carrier';
import { startDriver } from './start';
import { within } from '../../support/timeout';

/** Milliseconds after which a host process is taken to stay. */
const patienceMs = 120_000;

/** A device whose port has an active MTU of 1024 bytes. */
const nodeArgs = [resolve(__dirname, '..', 'fixtures', 'fake-host.js')];
const limits = { eventMs: 0, quietMs: 0 };
const options = { device: 'fake0', portNum: 1, gidIndex: 0, limits };

/** Keeps the host process that it has started. */
class KeepingCarrier extends LocalCarrier {
  host: HostProcess | undefined;

  override async start(session: number): Promise<HostProcess> {
    this.host = await super.start(session);
    return this.host;
  }
}

it('a driver has the limits that it was given, and an MTU that its port can carry', async () => {
  const driver = await startDriver(new LocalCarrier({ nodeArgs }), options, 512);
  assert.equal(driver.dut.hcaId, 'fake0');
  assert.equal(driver.limits, limits);
  await driver.close();
});

it('an MTU that the port cannot carry is refused, and leaves no host process', async () => {
  const carrier = new KeepingCarrier({ nodeArgs });
  await assert.rejects(startDriver(carrier, options, 2048), UsageError);
  assert.ok(carrier.host);
  const exit = await within(patienceMs, carrier.host.ended);
  assert.equal(exit?.signal, 'SIGKILL');
  await carrier.close();
});
