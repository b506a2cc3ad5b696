/**
 * What a device refuses to destroy is left as it was, on a real rdma_rxe in a VM: it can be used, and destroyed once the
 * reason is gone. The kernel itself refuses a CQ and an SRQ that a QP uses; a planted fault does so for a QP.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { compileShim } from '../../cli/fixtures/misbehaving-provider';
import { VerbsError, type Context, type Cq, type Driver, type Pd, type Qp, type Srq } from '../../drivers/contract';
import { hostProgram } from '../../drivers/native/carriers/local-carrier';
import { startDriver } from '../../drivers/native/client/start';
import { startVm } from '../../drivers/vm/vm';

const cap = { maxSendWr: 1, maxRecvWr: 1, maxSendSge: 1, maxRecvSge: 1, maxInlineData: 0 };

/** Entries of the resize after which no QP can be destroyed, and of the one after which it can. */
const [plant, pull] = [601, 602];

const folder = mkdtempSync(join(tmpdir(), 'verbspec-refused-'));
let driver: Driver;
let objects: { readonly context: Context; readonly pd: Pd; readonly cq: Cq; readonly srq: Srq; readonly qp: Qp };

before(async () => {
  const library = join(folder, 'shim.so');
  compileShim(library);
  const environment = [`LD_PRELOAD=${library}`, `VERBSPEC_SHIM=${plant}=destroy_qp:garbage ${pull}=no_verb:none`];
  const node = [process.execPath, '--no-opt', hostProgram];
  const hostCommand = (session: number): string[] => [
    '/usr/bin/env',
    ...environment,
    ...node,
    '--session',
    String(session),
  ];
  const progress = () => undefined;
  const carrier = await startVm({ kernel: '6.1', hostCommand, progress });
  const limits = { eventMs: 10_000, quietMs: 80 };
  const device = { device: 'rxe0', portNum: 1, gidIndex: 1, ownsDevice: true };
  driver = await startDriver(carrier, { ...device, limits, progress });
});

after(async () => {
  await driver.close();
  rmSync(folder, { recursive: true });
});

async function refuses(isInTurn: boolean, verb: string, destroy: () => Promise<void>): Promise<void> {
  const refused = isInTurn ? driver.inTurn(destroy) : destroy();
  await assert.rejects(refused, (error) => error instanceof VerbsError && error.verb === verb);
}

for (const isInTurn of [true, false]) {
  describe(
    isInTurn ? 'a destruction in its turn that is refused' : 'a destruction beside others that is refused',
    () => {
      before(async () => {
        await driver.begin();
        const context = await driver.openDevice(driver.dut.hcaId);
        const pd = await driver.allocPd(context);
        const cq = await driver.createCq(context, 4, 0n, null, 0);
        const srq = await driver.createSrq(pd, { attr: { maxWr: 1, maxSge: 1, srqLimit: 0 } });
        const qp = await driver.createQp(pd, {
          qpType: 'IBV_QPT_RC',
          sendCq: cq,
          recvCq: cq,
          srq,
          cap,
          sqSigAll: true,
        });
        objects = { context, pd, cq, srq, qp };
      });

      it('leaves a CQ as it was', async () => {
        await refuses(isInTurn, 'ibv_destroy_cq', () => driver.destroyCq(objects.cq));
        assert.deepEqual(await driver.pollCq(objects.cq, 1), []);
      });

      it('leaves an SRQ as it was', async () => {
        await refuses(isInTurn, 'ibv_destroy_srq', () => driver.destroySrq(objects.srq));
        await driver.postSrqRecv(objects.srq, [{ wrId: 1n, sgList: [] }]);
      });

      it('leaves a QP as it was', async () => {
        await driver.resizeCq(objects.cq, plant);
        await refuses(isInTurn, 'ibv_destroy_qp', () => driver.destroyQp(objects.qp));
        await driver.modifyQp(objects.qp, { qpState: 'IBV_QPS_RESET' }, ['IBV_QP_STATE']);
        await driver.resizeCq(objects.cq, pull);
      });

      it('is carried out once its reason is gone, and nothing is left', async () => {
        const { context, pd, cq, srq, qp } = objects;
        await driver.inTurn(() => driver.destroyQp(qp));
        await driver.inTurn(() => Promise.all([driver.destroyCq(cq), driver.destroySrq(srq)]));
        await driver.deallocPd(pd);
        await driver.closeDevice(context);
        assert.deepEqual(await driver.end(), []);
      });
    },
  );
}
