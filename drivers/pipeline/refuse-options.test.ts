import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError, type DriverOptions } from '../contract';
import { checkedMtu, refuseOptions, type Fixed } from './refuse-options';
import { simulatedDut } from '../sim/device/dut';

function refusalOf(asked: Omit<DriverOptions, 'progress'>, fixed: Fixed): string | undefined {
  try {
    refuseOptions('mine', { ...asked, progress: () => undefined }, fixed);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error.message;
  }
}

describe('the options of a driver', () => {
  it('are refused by name where the driver does not know them', () => {
    assert.match(refusalOf({ fault: 'x' }, { fault: null }) ?? '', /takes no --fault; .*--driver sim/);
    assert.match(refusalOf({ kernel: '6.1' }, { kernel: null }) ?? '', /takes no --kernel; .*--driver soft-roce/);
    assert.match(refusalOf({ module: 'x.ko' }, { module: null }) ?? '', /takes no --module; .*--driver soft-roce/);
    assert.match(refusalOf({ rdmaCore: '/x' }, { rdmaCore: null }) ?? '', /takes no --rdma-core; .*--driver soft-roce/);
    assert.match(refusalOf({ vmTime: 'wall' }, { vmTime: null }) ?? '', /takes no --vm-time; .*--driver soft-roce/);
    assert.match(refusalOf({ ibDev: 'mlx5_0' }, { ibDev: null }) ?? '', /takes no --ib-dev; leave it out$/);
  });

  it('may have the one value that the driver has', () => {
    const fixed = { ibDev: 'sim0', ibPort: 1, gidIndex: 0 };
    assert.equal(refusalOf({}, fixed), undefined);
    assert.equal(refusalOf({ ibDev: 'sim0', ibPort: 1, gidIndex: 0, mtu: 256 }, fixed), undefined);
    assert.match(refusalOf({ ibDev: 'mlx5_0' }, fixed) ?? '', /no --ib-dev "mlx5_0"; it has "sim0" alone/);
    assert.match(refusalOf({ gidIndex: 3 }, fixed) ?? '', /no --gid-index 3; it has 0 alone/);
  });

  it('may ask for an MTU up to that of the port', () => {
    const { activeMtu } = simulatedDut.port;
    assert.equal(checkedMtu(simulatedDut, undefined), undefined);
    assert.equal(checkedMtu(simulatedDut, activeMtu), activeMtu);
    assert.throws(() => checkedMtu(simulatedDut, activeMtu * 2), /--mtu 2048 is more than port 1 of sim0.*1024/);
  });
});
