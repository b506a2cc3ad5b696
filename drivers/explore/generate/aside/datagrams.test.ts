import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { soundParts, type Parts } from '../../../sim/device/device';
import type { Message } from '../../../sim/qp/message';
import type { Qp } from '../../../sim/qp/qp';
import { isFound } from '../../fixtures/alone';
import { sendByOtherKeys } from './datagrams';

/** A device that decides so whether a datagram of another Q_Key is dropped. */
const dropping = (isDropped: (qp: Qp) => boolean) => (): Partial<Parts> => ({
  Responder: class extends soundParts.Responder {
    protected override ignores(message: Message): boolean {
      return super.ignores(message) && isDropped(this.qp);
    }
  },
});

describe('datagrams of another Q_Key', () => {
  it('may be taken', async () => {
    assert.ok(
      !(await isFound(
        dropping(() => false),
        sendByOtherKeys,
        40,
      )),
    );
  });

  it('may be dropped, but take no receive then', async () => {
    const greedy = dropping((qp) => {
      qp.receives.take();
      return true;
    });
    assert.ok(await isFound(greedy, sendByOtherKeys, 10));
  });
});

it('a QP takes those of the Q_Key that it was given last', async () => {
  const remembering = (): Partial<Parts> => {
    const first = new Map<number, number>();
    return {
      Responder: class extends soundParts.Responder {
        protected override ignores(message: Message): boolean {
          if (!this.qp.isUd) return super.ignores(message);
          const own = first.get(this.qp.qpNum) ?? this.qp.attr.qkey ?? 0;
          first.set(this.qp.qpNum, own);
          return message.wr.qkey !== own;
        }
      },
    };
  };
  assert.ok(await isFound(remembering, sendByOtherKeys, 20));
});
