import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AccessFlag, Sge } from '../../../contract';
import { soundParts, type Parts } from '../../../sim/device/device';
import type { Answer, Message } from '../../../sim/qp/message';
import type { Pd } from '../../../sim/pd/pd';
import { isFound } from '../../fixtures/alone';
import { useOverAndOver } from './dense';

it('a key that is almost that of a region opens nothing', async () => {
  const careless = (): Partial<Parts> => ({
    MemoryTable: class extends soundParts.MemoryTable {
      override local(pd: Pd, sge: Sge, access?: AccessFlag): Uint8Array | undefined {
        return super.local(pd, { ...sge, lkey: sge.lkey & ~0xff }, access);
      }
    },
  });
  assert.ok(await isFound(careless, useOverAndOver, 60));
});

it('a read brings what the write before it has written', async () => {
  const late = (): Partial<Parts> => ({
    Responder: class extends soundParts.Responder {
      #written: { readonly addr: bigint; readonly before: Uint8Array } | undefined;

      override receive(message: Message): Answer {
        const { rdma, opcode } = message.wr;
        const old = this.#written;
        this.#written = undefined;
        if (opcode === 'IBV_WR_RDMA_WRITE' && rdma !== undefined) {
          const { remoteAddr: addr, rkey } = rdma;
          const { length } = message.wr;
          const bytes = this.qp.device.memory.remote(this.qp, rkey, addr, length, 'IBV_ACCESS_REMOTE_WRITE');
          if (bytes !== undefined) this.#written = { addr, before: new Uint8Array(bytes) };
        }
        const answer = super.receive(message);
        const isOld = opcode === 'IBV_WR_RDMA_READ' && old?.addr === rdma?.remoteAddr;
        return isOld && old !== undefined && answer.kind === 'ack' ? { ...answer, data: old.before } : answer;
      }
    },
  });
  assert.ok(await isFound(late, useOverAndOver, 400));
});
