import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { QpAttr, RecvWr } from '../../contract';
import { SimBackend } from '../../sim/backend';
import { soundParts, type Parts } from '../../sim/device/device';
import type { Cqe } from '../../sim/cq/cq';
import { silence, type Answer, type Message, type NoReceive } from '../../sim/qp/message';
import type { Posted } from '../../sim/qp/requester';
import type { Attempt } from '../../sim/qp/transmitter';
import { simulatedDut } from '../../sim/device/dut';
import { partsFor } from '../../sim/faults';
import { partsOf, variants } from '../../sim/lawful';
import { programOf } from '../../programs/check-program';
import { Explorer } from '../explorer';
import { makesSense } from '../sound';
import { generate } from '../generate/generate';
import { srqOfUc } from './guides';
import { inPlaceOf } from './known/other-status';
import { sharedReceiveFails, shortDatagramFails } from './known/short-receives';
import { lateReceiveStays } from './guided-qp';
import { timeoutOutlivesReset } from './guided-requester';
import { waitingSendStays } from './known/sends-left-in-sqd';
import { followingIsFlushed, rnrIsLoss, rnrTimesOut } from './known/waiting-sends';

const { capabilities } = simulatedDut;
/** Programs of a seed. */
interface Sample {
  readonly seed: number;
  readonly programs: number;
}

/** In these each of the devices below shows what it does otherwise. */
const telling: Sample = { seed: 18, programs: 240 };

/** In these there are datagrams that are longer than their receives. */
const tooLong: Sample = { seed: 17, programs: 240 };

/** Sends that wait, of which each is looked at. */
const looking: Sample = { seed: 5, programs: 120 };

/** Receives that are posted to a QP in IBV_QPS_ERR stay until it is moved there again. */
const withLateReceives: Parts = {
  ...soundParts,
  Qp: class extends soundParts.Qp {
    readonly #late: RecvWr[] = [];

    override postRecv(wrs: readonly RecvWr[]): void {
      if (this.state === 'IBV_QPS_ERR') this.#late.push(...wrs);
      else super.postRecv(wrs);
    }

    override modify(attr: QpAttr): void {
      const late = this.#late.splice(0);
      if (attr.qpState === 'IBV_QPS_ERR') super.postRecv(late);
      super.modify(attr);
    }
  },
};

/** A peer that answers that it has no receive counts as one that does not answer. */
const withRnrTimeouts: Parts = {
  ...soundParts,
  Requester: class extends soundParts.Requester {
    protected override waitForReceive(whenPosted: NoReceive['whenPosted'], posted: Posted): void {
      super.waitForReceive(whenPosted, posted);
      const { device, attr } = this.qp;
      device.clock.schedule(device.answerWaitUs(attr.timeout ?? 0), () => {
        this.giveUp(posted);
      });
    }
  },
};

/** What follows a request without a receive is a gap for the peer, and there is no try left for that. */
const withLossesAtRnr: Parts = {
  ...soundParts,
  Requester: class extends soundParts.Requester {
    protected override take(posted: Posted, attempt: Attempt): void {
      if (attempt.kind === 'rnr' && this.sends.length > 1 && this.qp.attr.retryCnt === 0) this.giveUp(posted);
      else super.take(posted, attempt);
    }
  },
};

/** The first request after a reset is given up, as the time of one before it has ended. */
const withOldTimeouts: Parts = (() => {
  const sent = new WeakSet<object>();
  const reset = new WeakSet<object>();
  return {
    ...soundParts,
    Qp: class extends soundParts.Qp {
      override modify(attr: QpAttr): void {
        super.modify(attr);
        if (attr.qpState === 'IBV_QPS_RESET' && sent.has(this)) reset.add(this);
      }
    },
    Requester: class extends soundParts.Requester {
      protected override take(posted: Posted, attempt: Attempt): void {
        sent.add(this.qp);
        if (reset.delete(this.qp) && this.qp.isReliable && this.qp.attr.retryCnt === 0) this.giveUp(posted);
        else super.take(posted, attempt);
      }
    },
  };
})();

/** What waits for a receive is not tried in IBV_QPS_SQD. */
const withWaitingSendsLeft: Parts = {
  ...soundParts,
  Requester: class extends soundParts.Requester {
    protected override waitForReceive(whenPosted: NoReceive['whenPosted'], posted: Posted): void {
      super.waitForReceive((tryAgain) => {
        whenPosted(() => {
          if (this.qp.state !== 'IBV_QPS_SQD') tryAgain();
        });
      }, posted);
    }
  },
};

/** Receives of unreliable QPs that are too short fail, with another status than the specification has for reliable ones. */
const withFailedShortReceives: Parts = {
  ...soundParts,
  Responder: class extends soundParts.Responder {
    protected override tooLong(length: number, isReliable: boolean): Answer {
      return this.qp.isUd || isReliable
        ? super.tooLong(length, isReliable)
        : this.fail('IBV_WC_LOC_QP_OP_ERR', 'operation-error');
    }
  },
};

const withFailedDatagrams: Parts = {
  ...soundParts,
  Responder: class extends soundParts.Responder {
    protected override tooLong(length: number, isReliable: boolean): Answer {
      return this.qp.isUd ? this.fail('IBV_WC_LOC_QP_OP_ERR', 'operation-error') : super.tooLong(length, isReliable);
    }
  },
};

const withSilentSends = partsFor('failed-sends-are-unsolicited');

/** Destroying a CQ waits until as many events were taken as were acknowledged, as libibverbs does. */
const withExactAcks: Parts = {
  ...withSilentSends,
  Cq: class extends withSilentSends.Cq {
    override get destroyable(): boolean {
      return super.destroyable && !this.compEvents.hasSurplus;
    }
  },
};

const withUnsolicitedFailures = partsFor('failed-receives-are-unsolicited');

/** Receives that fail are solicited if their message is. */
const withMessagesOfFailures: Parts = (() => {
  let isSolicited = false;
  return {
    ...withUnsolicitedFailures,
    Responder: class extends withUnsolicitedFailures.Responder {
      override receive(message: Message): Answer {
        isSolicited = message.wr.sendFlags.includes('IBV_SEND_SOLICITED');
        const answer = super.receive(message);
        isSolicited = false;
        return answer;
      }
    },
    Cq: class extends withUnsolicitedFailures.Cq {
      override add(cqe: Cqe): void {
        super.add(isSolicited ? { ...cqe, solicitedEvent: true } : cqe);
      }
    },
  };
})();

/** Any QP may use an SRQ. */
const withSrqsOfUc: Parts = {
  ...soundParts,
  Device: class extends soundParts.Device {
    protected override refuseSrqFor(): void {
      return;
    }
  },
};

/** Receives of SRQs that are too short for a datagram fail, and their QPs go on. */
const withFailedSharedReceives: Parts = {
  ...soundParts,
  Responder: class extends soundParts.Responder {
    protected override tooLong(length: number, isReliable: boolean): Answer {
      const wr = this.qp.init.srq === undefined ? undefined : this.qp.receives.take();
      if (wr === undefined) return super.tooLong(length, isReliable);
      this.qp.failReceive(wr, 'IBV_WC_REM_INV_REQ_ERR');
      return silence;
    }
  },
};

/** Devices that do not keep one clause, of which there are such. */
const devices: readonly (readonly [string, Parts])[] = [
  ['ibv_req_notify_cq.solicited-send-error', withSilentSends],
  ['ibv_req_notify_cq.solicited-send-error', withExactAcks],
  ['ibv_req_notify_cq.solicited-recv-error', withUnsolicitedFailures],
  ['ibv_poll_cq.overrun-cq-unusable', partsFor('overrun-is-forgotten')],
  ['ibv_poll_cq.flag-with-inv', partsFor('invalidation-flag-of-kernel')],
  ['ibv_poll_cq.error-valid-status', partsOf([variants['statuses-are-coarse'] ?? assert.fail()])],
  ['ibv_poll_cq.error-valid-status', withFailedShortReceives],
  [inPlaceOf('IBV_WC_LOC_LEN_ERR', 'IBV_WC_LOC_QP_OP_ERR'), withFailedShortReceives],
  ['ibv_get_async_event.event-last-wqe', partsFor('last-wqe-is-silent')],
  ['ibv_get_async_event.event-sq-drained', partsFor('drained-unasked')],
  [lateReceiveStays, withLateReceives],
  [rnrTimesOut, withRnrTimeouts],
  [rnrIsLoss, withLossesAtRnr],
  [timeoutOutlivesReset, withOldTimeouts],
  [srqOfUc, withSrqsOfUc],
];

/** Which clauses were met that the device is known not to keep, until a program accuses it or all have run. */
async function examined(
  { seed, programs }: Sample,
  parts: Parts,
  ...known: readonly string[]
): Promise<{ isAccused: boolean; met: readonly string[] }> {
  const explorer = new Explorer(new SimBackend(parts), { excused: new Set(known), oracles: ['axioms', 'inclusion'] });
  let isAccused = false;
  for (let index = 0; index < programs && !isAccused; index++) {
    const outcome = await explorer.examine(await generate({ seed, capabilities }, index));
    isAccused = outcome.kind !== 'sound';
  }
  return { isAccused, met: explorer.ledger.excused.map(([clause]) => clause) };
}

/** What becomes of a program on a device that is known not to keep some clauses. */
async function kindOf(name: string, parts: Parts, ...known: readonly string[]): Promise<string> {
  const program = programOf(readFileSync(join(__dirname, '../fixtures', `${name}.json`), 'utf8'));
  assert.ok(await makesSense(program));
  return (await new Explorer(new SimBackend(parts), { excused: new Set(known) }).examine(program)).kind;
}

describe('a device that is known not to keep a clause', () => {
  for (const [clause, parts] of devices) {
    it(`is allowed that, which is counted, and accused where it is not known: ${clause}`, async () => {
      assert.equal((await examined(telling, parts)).isAccused, true);
      assert.deepEqual(await examined(telling, parts, clause), { isAccused: false, met: [clause] });
    });
  }

  for (const clause of [rnrTimesOut, rnrIsLoss, followingIsFlushed, timeoutOutlivesReset, waitingSendStays]) {
    it(`may keep it all the same: ${clause}`, async () => {
      assert.deepEqual(await examined(looking, soundParts, clause), { isAccused: false, met: [] });
    });
  }

  it('may fail datagrams that are longer than their receives where that is known, and not for its status alone', async () => {
    const status = inPlaceOf('IBV_WC_LOC_LEN_ERR', 'IBV_WC_LOC_QP_OP_ERR');
    assert.equal((await examined(tooLong, withFailedDatagrams, status)).isAccused, true);
    assert.equal((await examined(tooLong, withFailedDatagrams, status, shortDatagramFails)).isAccused, false);
  });

  it('may fail a receive of an SRQ that is too short for a datagram where that is known', async () => {
    const program = 'short-receive-of-an-srq';
    assert.equal(await kindOf(program, withFailedSharedReceives), 'finding');
    assert.equal(await kindOf(program, withFailedSharedReceives, sharedReceiveFails), 'sound');
    assert.equal(await kindOf(program, soundParts, sharedReceiveFails), 'sound');
    const status = inPlaceOf('IBV_WC_LOC_LEN_ERR', 'IBV_WC_LOC_QP_OP_ERR');
    assert.equal(await kindOf(program, withFailedDatagrams, status, shortDatagramFails), 'sound', 'as without an SRQ');
  });

  it('may keep it for all tries of a send, of which each counts as one', async () => {
    assert.equal((await examined(telling, soundParts, rnrIsLoss)).isAccused, false);
  });

  it('may keep it for all of several sends behind one that waits', async () => {
    assert.equal(await kindOf('several-sends-behind-a-waiting-one', soundParts, rnrIsLoss), 'sound');
  });

  it('may keep it for receives whose message was solicited', async () => {
    const [program, known] = ['short-receive-of-solicited', 'ibv_req_notify_cq.solicited-recv-error'];
    assert.equal(await kindOf(program, withMessagesOfFailures, known), 'sound');
    assert.equal(await kindOf(program, withUnsolicitedFailures, known), 'sound');
    assert.equal(await kindOf(program, withUnsolicitedFailures), 'finding');
  });

  it('may leave a send that waits for a receive in IBV_QPS_SQD', async () => {
    const program = 'waiting-send-of-sqd';
    assert.equal(await kindOf(program, withWaitingSendsLeft, waitingSendStays), 'sound');
    assert.equal(await kindOf(program, soundParts, waitingSendStays), 'sound');
    assert.equal(await kindOf(program, withWaitingSendsLeft), 'finding');
  });

  it('may lose the first or the last of several requests of one wr_id', async () => {
    const [program, known] = ['same-wr-id-after-overrun', 'ibv_poll_cq.overrun-cq-unusable'];
    assert.equal(await kindOf(program, partsFor('overrun-is-forgotten'), known), 'sound');
  });

  it('is accused of another status than the one that it is known to give', async () => {
    const parts = partsOf([variants['statuses-are-coarse'] ?? assert.fail()]);
    const one = inPlaceOf('IBV_WC_REM_INV_REQ_ERR', 'IBV_WC_REM_OP_ERR');
    const other = inPlaceOf('IBV_WC_LOC_PROT_ERR', 'IBV_WC_LOC_QP_OP_ERR');
    assert.equal((await examined(telling, parts, one)).isAccused, true);
    assert.deepEqual(await examined(telling, parts, one, other), { isAccused: false, met: [other, one] });
  });

  it('is accused of all else', async () => {
    const clauses = devices.map(([clause]) => clause);
    for (const fault of ['stays-armed', 'failures-never-notify', 'drained-is-silent', 'failed-wr-id-lost'])
      assert.equal((await examined(telling, partsFor(fault), ...clauses)).isAccused, true, fault);
  });
});
