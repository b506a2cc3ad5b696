import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Packet } from '../../../../sim/network/packet';
import { soundParts, type Parts } from '../../../../sim/device/device';
import type { Answer, Message } from '../../../../sim/qp/message';
import type { Qp } from '../../../../sim/qp/qp';
import { isFound } from '../../../fixtures/alone';
import { sendToOthers } from './addresses';

const isFoundHere = (parts: () => Partial<Parts>): Promise<boolean> => isFound(parts, sendToOthers, 60);

/** A device that takes Q_Keys for the same by a rule of its own. */
const comparing = (isSame: (sent: number, own: number) => boolean) => (): Partial<Parts> => ({
  Responder: class extends soundParts.Responder {
    protected override ignores({ wr }: Message): boolean {
      return this.qp.isUd && !isSame(wr.qkey ?? 0, this.qp.attr.qkey ?? 0);
    }
  },
});

describe('a Q_Key is compared', () => {
  const rules: Readonly<Record<string, (sent: number, own: number) => boolean>> = {
    'in its high bits': (sent, own) => (sent & 0xffff) === (own & 0xffff),
    'in its low bits': (sent, own) => sent >>> 16 === own >>> 16,
    'in its highest bit but one': (sent, own) => (sent & 0x3fff_ffff) === (own & 0x3fff_ffff),
    'in its lowest bit': (sent, own) => sent >>> 1 === own >>> 1,
    'where 0 was sent': (sent, own) => sent === 0 || sent === own,
    'where it is 0': (sent, own) => own === 0 || sent === own,
    'where all its bits are set': (sent, own) => sent === own && own !== 0x7fff_ffff,
  };
  for (const [what, isSame] of Object.entries(rules)) {
    it(what, async () => {
      assert.ok(await isFoundHere(comparing(isSame)));
    });
  }
});

/** A device that hands datagrams to others than those that they are for. */
const misleading = (toWhom: (qps: readonly Qp[], packet: Packet) => Qp | undefined) => (): Partial<Parts> => ({
  Device: class extends soundParts.Device {
    override arrive(packet: Packet): boolean {
      const other = toWhom([...this.qps.values()], packet);
      other?.arrive(packet);
      return other === undefined ? super.arrive(packet) : true;
    }
  },
});

const numbered = (qps: readonly Qp[], qpNum: number): Qp | undefined => qps.find((qp) => qp.qpNum === qpNum);

describe('a datagram', () => {
  it('to a QP that is no more comes to none', async () => {
    const toAnyone = misleading((qps, { to }) =>
      numbered(qps, to.qpNum) === undefined ? qps.find((qp) => qp.isUd) : undefined,
    );
    assert.ok(await isFoundHere(toAnyone));
  });

  it('to its own QP comes back', async () => {
    const deafToItself = (): Partial<Parts> => ({
      Responder: class extends soundParts.Responder {
        protected override ignores(message: Message): boolean {
          return super.ignores(message) || (this.qp.isUd && message.srcQpNum === this.qp.qpNum);
        }
      },
    });
    assert.ok(await isFoundHere(deafToItself));
  });

  it('to its own QP does not come to its peer', async () => {
    const toTheNext = misleading((qps, { from, to }) =>
      from.qpNum === to.qpNum ? numbered(qps, to.qpNum + 1) : undefined,
    );
    assert.ok(await isFoundHere(toTheNext));
  });

  it('says who has sent it, to its own QP as well', async () => {
    const nameless = (): Partial<Parts> => ({
      Responder: class extends soundParts.Responder {
        override receive(message: Message): Answer {
          const isOwn = message.srcQpNum === this.qp.qpNum;
          return super.receive(isOwn ? { ...message, srcQpNum: message.srcQpNum + 1 } : message);
        }
      },
    });
    assert.ok(await isFoundHere(nameless));
  });

  it('is not taken by a connection, and takes no receive from it', async () => {
    const isDatagram = (qp: Qp, packet: Packet): boolean =>
      packet.kind === 'request' && qp.isReliable && packet.wr.qkey !== undefined;
    const open = (): Partial<Parts> => ({
      Qp: class extends soundParts.Qp {
        override arrive(packet: Packet): void {
          if (packet.kind === 'request' && isDatagram(this, packet)) {
            const { wr, payload, from } = packet;
            this.responder.receive({ wr, payload, srcQpNum: from.qpNum, grh: new Uint8Array() });
          } else super.arrive(packet);
        }
      },
    });
    const greedy = (): Partial<Parts> => ({
      Qp: class extends soundParts.Qp {
        override arrive(packet: Packet): void {
          if (isDatagram(this, packet)) this.receives.take();
          else super.arrive(packet);
        }
      },
    });
    assert.ok(await isFoundHere(open));
    assert.ok(await isFoundHere(greedy));
  });

  it('waits for no receive', async () => {
    const patient = (): Partial<Parts> => ({
      Responder: class extends soundParts.Responder {
        override receive(message: Message): Answer {
          const answer = super.receive(message);
          if (this.qp.isUd && answer.kind === 'rnr') answer.whenPosted(() => super.receive(message));
          return answer;
        }
      },
    });
    assert.ok(await isFoundHere(patient));
  });
});

describe('a QP that is not ready to receive', () => {
  for (const state of ['IBV_QPS_INIT', 'IBV_QPS_ERR'] as const) {
    it(`takes no datagram: ${state}`, async () => {
      const eager = (): Partial<Parts> => ({
        Responder: class extends soundParts.Responder {
          override get isDeaf(): boolean {
            return super.isDeaf && this.qp.state !== state;
          }
        },
      });
      assert.ok(await isFoundHere(eager));
    });

    it(`takes no receive for one: ${state}`, async () => {
      const greedy = (): Partial<Parts> => ({
        Responder: class extends soundParts.Responder {
          override receive(message: Message): Answer {
            if (this.qp.state === state) this.qp.receives.take();
            return super.receive(message);
          }
        },
      });
      assert.ok(await isFoundHere(greedy));
    });
  }

  it('takes datagrams in IBV_QPS_RTR', async () => {
    const late = (): Partial<Parts> => ({
      Responder: class extends soundParts.Responder {
        override get isDeaf(): boolean {
          return super.isDeaf || (this.qp.isUd && this.qp.state === 'IBV_QPS_RTR');
        }
      },
    });
    assert.ok(await isFoundHere(late));
  });
});
