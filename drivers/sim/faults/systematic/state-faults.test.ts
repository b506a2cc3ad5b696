import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Context, Cq, Driver } from '../../../contract';
import { Prover } from '../prover';
import { stateFaults } from './state-faults';
import type { SystematicFault } from './systematic-fault';

interface Bench {
  readonly driver: Driver;
  readonly context: Context;
  readonly one: Cq;
  readonly other: Cq;
  readonly told: () => number;
}

/** All of their bytes matter, and none is the same in both. */
const contextOf = { one: 0x0102_0304_0506_0708n, other: 0x1112_1314_1516_1718n };

/** Two CQs on the simulator with this fault. */
async function bench(name: string): Promise<Bench> {
  let told = 0;
  const driver = new Prover(faultOf(name).parts(() => told++));
  await driver.begin();
  const context = await driver.openDevice(driver.dut.hcaId);
  const create = (cqContext: bigint): Promise<Cq> => driver.createCq(context, 4, cqContext, null, 0);
  return { driver, context, one: await create(contextOf.one), other: await create(contextOf.other), told: () => told };
}

function faultOf(name: string): SystematicFault {
  const fault = stateFaults().find((one) => one.name === name);
  assert.ok(fault, name);
  return fault;
}

async function contexts({ driver, one, other }: Bench): Promise<readonly bigint[]> {
  return [(await driver.readCq(one)).cqContext, (await driver.readCq(other)).cqContext];
}

describe('a fault in a piece of state', () => {
  it('spoils the objects that the call names', async () => {
    const spoilt = stateFaults().find(({ name }) =>
      /^ibv_resize_cq \/ Cq.cqContext \/ (?!given).*, those named$/.test(name),
    );
    const b = await bench(spoilt?.name ?? '');
    const before = await contexts(b);
    await b.driver.resizeCq(b.one, 5);
    const [one, other] = await contexts(b);
    assert.notEqual(one, before[0]);
    assert.equal(other, before[1]);
    assert.equal(b.told(), 1);
  });

  it('spoils all others', async () => {
    const spoilt = stateFaults().find(({ name }) => /^ibv_resize_cq \/ Cq.cqContext \/ .*, all others$/.test(name));
    const b = await bench(spoilt?.name ?? '');
    await b.driver.resizeCq(b.one, 5);
    const [one, other] = await contexts(b);
    assert.equal(one, contextOf.one);
    assert.notEqual(other, contextOf.other);
  });

  it('spoils all objects of a class with which the call has nothing to do', async () => {
    const spoilt = stateFaults().find(({ name }) => /^ibv_alloc_pd \/ Cq.cqContext \/ /.test(name));
    const b = await bench(spoilt?.name ?? '');
    await b.driver.allocPd(b.context);
    const [one, other] = await contexts(b);
    assert.notEqual(one, contextOf.one);
    assert.notEqual(other, contextOf.other);
  });

  it('undoes what the call has done', async () => {
    const b = await bench('ibv_resize_cq / Cq.capacity / kept, those named');
    await b.driver.resizeCq(b.one, 7);
    assert.equal((await b.driver.readCq(b.one)).cqe, 4);
  });

  it('lets it count from the next such call on', async () => {
    const b = await bench('ibv_resize_cq / Cq.capacity / late, those named');
    await b.driver.resizeCq(b.one, 7);
    assert.equal((await b.driver.readCq(b.one)).cqe, 4);
    await b.driver.resizeCq(b.other, 5);
    assert.equal((await b.driver.readCq(b.one)).cqe, 7);
  });

  it('tells nothing where it changes nothing', async () => {
    const b = await bench('ibv_resize_cq / Cq.capacity / kept, those named');
    await b.driver.resizeCq(b.one, 4);
    assert.equal(b.told(), 0);
  });
});
