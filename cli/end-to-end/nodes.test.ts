import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HarnessError, type Driver } from '../../drivers/contract';
import { loadDriver } from '../../drivers/registry';
import { bringUp, pathTo, usualBringUp } from '../../steps/qp/connection';
import { Nodes } from '../../steps/world/nodes';
import { Teardown } from '../../steps/world/teardown';

async function nodesOf(driverName: string): Promise<Nodes> {
  const driver: Driver = await loadDriver(driverName)({ progress: () => undefined });
  await driver.begin();
  return new Nodes(driver, new Teardown(driver));
}

describe('the nodes of a scenario', () => {
  it('are the device of the run, and others of its testbed by name', async () => {
    const nodes = await nodesOf('sim');
    const right = await nodes.get('right');
    assert.equal(await nodes.get('left'), nodes.home);
    assert.equal(await nodes.get('right'), right);
    assert.notEqual(right.driver, nodes.home.driver);
    assert.deepEqual([...nodes.others.keys()], ['right']);
  });

  it('are refused by a name that the testbed does not know', async () => {
    const nodes = await nodesOf('sim');
    const isRefusal = (error: unknown): boolean =>
      error instanceof HarnessError && error.message.includes('no node "middle"') && error.message.includes('"right"');
    await assert.rejects(nodes.get('middle'), isRefusal);
    await assert.rejects(nodes.get('toString'), HarnessError);
  });

  it('connect QPs with each other, and report what is left behind', async () => {
    const nodes = await nodesOf('sim');
    const { home: left } = nodes;
    const right = await nodes.get('right');
    const [one, other] = await Promise.all(
      [left, right].map(async (node) => {
        const cq = await node.driver.createCq(await node.context(), 4, 0n, null, 0);
        const cap = { maxSendWr: 1, maxRecvWr: 1, maxSendSge: 1, maxRecvSge: 1, maxInlineData: 0 };
        const init = { qpType: 'IBV_QPT_RC', sendCq: cq, recvCq: cq, cap, sqSigAll: true, srq: null } as const;
        return { cq, qp: await node.driver.createQp(await node.pd(), init) };
      }),
    );
    assert.ok(one && other);
    await bringUp(left.driver, one.qp, other.qp, usualBringUp, pathTo(right.driver));
    await bringUp(right.driver, other.qp, one.qp, usualBringUp, pathTo(left.driver));
    await right.driver.postRecv(other.qp, [{ wrId: 7n, sgList: [(await right.memory()).target()] }]);
    const sgList = [(await left.memory()).source()];
    await left.driver.postSend(one.qp, [{ wrId: 8n, sgList, opcode: 'IBV_WR_SEND', sendFlags: [] }]);
    await left.driver.settle();
    assert.deepEqual(
      (await right.driver.pollCq(other.cq, 4)).map(({ wrId, status }) => [wrId, status]),
      [[7n, 'IBV_WC_SUCCESS']],
    );
    assert.ok((await nodes.end()).some((leftover) => /^cq#\d+ of node "right"$/.test(leftover)));
  });
});
