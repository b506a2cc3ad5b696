import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QpAttr } from '../contract';
import type { Program } from '../programs/program';
import { SimBackend } from '../sim/backend';
import { soundParts, type Parts } from '../sim/device/device';
import { takesSends } from '../sim/qp/states';
import type { SendRequest } from '../sim/qp/work-request';
import { Refusal } from '../sim/refusal';
import { Explorer } from './explorer';
import { fail, goOnWithLess, onQpInRtr, poll, post, query, settle } from './fixtures/failed-qp';
import { refusedSendStays } from './generate/avoided';

const { Qp } = soundParts;

/** A QP that keeps so many of the sends that come too early, and does with the call what is said. */
function takingEarly(kept: number, end: () => void): Partial<Parts> {
  return {
    Qp: class extends Qp {
      override postSend(wrs: readonly SendRequest[]): void {
        if (takesSends(this.state)) {
          super.postSend(wrs);
          return;
        }
        for (const wr of wrs.slice(0, kept)) this.requester.post(wr);
        end();
      }
    },
  };
}

const refusing =
  (badWr: number | null): (() => void) =>
  () => {
    throw new Refusal('EINVAL', { badWr });
  };

async function kindOf(program: Program, own: Partial<Parts> = {}, ...excused: readonly string[]): Promise<string> {
  const backend = new SimBackend({ ...soundParts, ...own });
  return (await new Explorer(backend, { excused: new Set(excused) }).examine(program)).kind;
}

describe('sends that come before a QP can send', () => {
  const early = onQpInRtr(post('ibv_post_send', '0x1', '0x2'), fail, settle, poll);
  const taking = (): void => undefined;

  it('may be taken, and then nothing is known of them', async () => {
    assert.equal(await kindOf(early), 'sound');
    for (const kept of [2, 0]) assert.equal(await kindOf(early, takingEarly(kept, taking)), 'sound');
  });

  it('are not done where they are refused, and the first of them is named', async () => {
    assert.equal(await kindOf(early, takingEarly(1, refusing(0))), 'finding');
    for (const badWr of [1, null]) assert.equal(await kindOf(early, takingEarly(0, refusing(badWr))), 'finding');
    assert.equal(await kindOf(early, takingEarly(0, refusing(null)), refusedSendStays), 'sound');
  });
});

describe('a change that a QP cannot make', () => {
  const lacking = onQpInRtr(goOnWithLess, query);

  it('is refused, and sets nothing', async () => {
    assert.equal(await kindOf(lacking), 'sound');
    const setting: Partial<Parts> = {
      Qp: class extends Qp {
        override modify(attr: QpAttr): void {
          if (attr.minRnrTimer === 9) this.attributes = { ...this.attributes, ...attr };
          super.modify(attr);
        }
      },
    };
    assert.equal(await kindOf(lacking, setting), 'finding');
    assert.equal(await kindOf(onQpInRtr(goOnWithLess), setting), 'sound');
  });

  it('may not be made nevertheless', async () => {
    const going: Partial<Parts> = {
      Qp: class extends Qp {
        override modify(attr: QpAttr): void {
          if (attr.minRnrTimer === 9) this.currentState = 'IBV_QPS_RTS';
          else super.modify(attr);
        }
      },
    };
    assert.equal(await kindOf(onQpInRtr(goOnWithLess), going), 'finding');
  });
});
