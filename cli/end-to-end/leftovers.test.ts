import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { AsyncEvent, AsyncEvents } from '../../drivers/sim/async/async-events';
import { CompChannel } from '../../drivers/sim/channel/comp-channel';
import { Cq, type Cqe } from '../../drivers/sim/cq/cq';
import { Qp } from '../../drivers/sim/qp/qp';
import { soundParts, type Parts } from '../../drivers/sim/device/device';
import { Prover } from '../../drivers/sim/faults/prover';
import { Simulator } from '../../drivers/sim/simulator';
import { judgedScenarios } from '../run/judge-run';

const fixture = join(__dirname, 'fixtures', 'left-on-queues.feature');

/** Runs the scenario of that name, which looks at nothing that a device could do unasked. */
async function run(name: string, parts: Partial<Parts> = {}): Promise<{ verdict: string; detail: string }> {
  const driver = new Simulator({ parts: { ...soundParts, ...parts } });
  const scenarios = await judgedScenarios(driver, [fixture], undefined, ['--name', `^${name}$`]);
  assert.equal(scenarios.length, 1);
  return { verdict: scenarios[0]?.verdict ?? '', detail: scenarios[0]?.detail ?? '' };
}

/** A CQ that does something else as soon as it has its first CQE. */
const afterFirstCqe = (act: (cq: Meddled, cqe: Cqe) => void): Partial<Parts> => ({
  Cq: class extends Meddled {
    #isFirst = true;

    override add(cqe: Cqe): void {
      super.add(cqe);
      if (this.#isFirst) act(this, cqe);
      this.#isFirst = false;
    }
  },
});

class Meddled extends Cq {
  push(cqe: Cqe): void {
    this.cqes.push(cqe);
  }

  raise(): void {
    this.events.add(new AsyncEvent('IBV_EVENT_CQ_ERR', this));
  }
}

/** A QP that raises an event with each message. */
const raising = (eventType: string): Partial<Parts> => ({
  Qp: class extends Qp {
    override postSend(...args: Parameters<Qp['postSend']>): void {
      super.postSend(...args);
      this.raise(eventType as never);
    }
  },
});

describe('what a scenario leaves on its queues', () => {
  it('passes where the scenario accounts for it', async () => {
    for (const name of ['CQEs are left', 'CQEs of an extended CQ are left', 'Events are left', 'A QP is destroyed']) {
      assert.deepEqual(await run(name), { verdict: 'pass', detail: '' }, name);
    }
  });

  const planted: readonly (readonly [what: string, scenario: string, parts: Partial<Parts>, words: RegExp])[] = [
    [
      'a CQE that comes twice',
      'CQEs are left',
      afterFirstCqe((cq, cqe) => {
        cq.push(cqe);
      }),
      /\[1 CQE of CQ "recv_cq": no work request accounts for wr_id 0x[0-9a-f]+ IBV_WC_SUCCESS qp_num \d+\]; also .*\[1 CQE of cq#/,
    ],
    [
      'a CQE of no work request',
      'CQEs of an extended CQ are left',
      afterFirstCqe((cq, cqe) => {
        cq.push({ ...cqe, wc: { ...cqe.wc, wrId: 0xdeadn } });
      }),
      /\[1 CQE of CQ "recv_cq": no work request accounts for wr_id 0xdead IBV_WC_SUCCESS/,
    ],
    [
      'a completion event that comes twice',
      'Events are left',
      {
        CompChannel: class extends CompChannel {
          override add(cq: Cq): void {
            super.add(cq);
            super.add(cq);
          }
        },
      },
      /\[2 completion events of CQ "recv_cq": it was armed once\]/,
    ],
    [
      'a completion event of a CQ that was not armed',
      'CQEs are left',
      afterFirstCqe((cq) => cq.channel?.add(cq)),
      /\[1 completion event of CQ "recv_cq": it was armed 0 times\]/,
    ],
    [
      'an asynchronous event without a type',
      'CQEs are left',
      raising(''),
      /\[1 asynchronous event without a type for QP "client": there is no such type\]/,
    ],
    [
      'an asynchronous event of a type that there is not',
      'CQEs are left',
      raising('IBV_EVENT_LUNCH'),
      /\[1 asynchronous event IBV_EVENT_LUNCH for QP "client": there is no such type\]/,
    ],
    [
      'an asynchronous event of a QP without a cause',
      'CQEs are left',
      raising('IBV_EVENT_SQ_DRAINED'),
      /\[1 asynchronous event IBV_EVENT_SQ_DRAINED for QP "client": the scenario gave no cause for it\]/,
    ],
    [
      'an asynchronous event of a CQ without a cause',
      'CQEs are left',
      afterFirstCqe((cq) => {
        cq.raise();
      }),
      /\[1 asynchronous event IBV_EVENT_CQ_ERR for CQ "recv_cq": the scenario gave no cause for it\]; also .*\[1 /,
    ],
    [
      'an asynchronous event of a QP that was destroyed',
      'A QP is destroyed',
      {
        AsyncEvents: class extends AsyncEvents {
          override forget(): void {
            // Its events stay.
          }
        },
      },
      /\[1 asynchronous event IBV_EVENT_SQ_DRAINED for QP "client": it had been destroyed\]/,
    ],
  ];

  for (const [what, scenario, parts, words] of planted) {
    it(`fails with ${what}`, async () => {
      const { verdict, detail } = await run(scenario, parts);
      assert.equal(verdict, 'fail');
      assert.match(detail, /^After hook .*: unexpected in the scenario; expected nothing, observed /);
      assert.match(detail, words);
    });
  }

  it('is no more than a hang of the clean-up, which is reported instead', async () => {
    const hanging = class extends Qp {
      override postSend(...args: Parameters<Qp['postSend']>): void {
        super.postSend(...args);
        this.raise('IBV_EVENT_SQ_DRAINED');
      }

      override get destroyable(): boolean {
        return false;
      }
    };
    const driver = new Prover({ ...soundParts, Qp: hanging });
    const scenarios = await judgedScenarios(driver, [fixture], undefined, ['--name', '^CQEs are left$']);
    assert.equal(scenarios[0]?.verdict, 'hang');
  });

  it('is taken without a wait where another call waits for the event', async () => {
    assert.equal((await run('A get waits for an event')).verdict, 'pass');
  });
});
