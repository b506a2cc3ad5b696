import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { QpAttr, QpCap, RecvWr } from '../contract';
import { programOf } from '../programs/check-program';
import type { Op, Program } from '../programs/program';
import { SimBackend } from '../sim/backend';
import { soundParts, type Parts } from '../sim/device/device';
import { silence, type Answer, type NoReceive } from '../sim/qp/message';
import type { Posted } from '../sim/qp/requester';
import { takesSends } from '../sim/qp/states';
import type { SendRequest } from '../sim/qp/work-request';
import { Refusal } from '../sim/refusal';
import { Explorer } from './explorer';
import { fail, goOnWithLess, onQp, onQpInRtr, poll, post, query, settle } from './fixtures/failed-qp';
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

/** QPs whose receive queue holds so many more than it says, and so many of those that it refuses. */
const holding = (more: number, refused = 0): Partial<Parts> => ({
  Qp: class extends Qp {
    override firstWithoutPlace(wrs: readonly RecvWr[], cap: QpCap): number {
      const bad = super.firstWithoutPlace(wrs, { ...cap, maxRecvWr: cap.maxRecvWr + more });
      if (bad >= 0) this.receives.post(wrs.slice(0, refused));
      return bad;
    }
  },
});

describe('receives that a queue has no room for', () => {
  const wrIds = Array.from({ length: 10 }, (_, index) => `0x${index}`);
  const tooMany = onQp(32, post('ibv_post_recv', ...wrIds), fail, settle, poll, poll);

  it('are refused from the first one on, or taken', async () => {
    for (const more of [0, 1, 2, 8]) assert.equal(await kindOf(tooMany, holding(more)), 'sound', `${more} more`);
    assert.equal(await kindOf(tooMany, holding(-1)), 'finding');
    assert.equal(await kindOf(tooMany, holding(0, 1)), 'finding');
  });

  it('are not too many before as many are there as it holds', async () => {
    const few = onQp(32, post('ibv_post_recv', ...wrIds.slice(0, 5)), post('ibv_post_recv', ...wrIds.slice(5, 8)));
    assert.deepEqual([await kindOf(few), await kindOf(few, holding(-1))], ['sound', 'finding']);
  });
});

describe('a request that is larger than its queue takes', () => {
  const entry = { addr: '0x1000', length: 1, lkey: 0 };
  const large = { call: 'ibv_post_send', args: { qp: { of: 'qp' }, wrs: [small('0x1'), small('0x2', entry, entry)] } };
  const program = onQp(8, post('ibv_post_recv', '0x3', '0x4'), large, settle, poll);
  const first = (find: (wrs: readonly SendRequest[], bad: number) => number): Partial<Parts> => ({
    Qp: class extends Qp {
      override firstTooLarge(wrs: readonly SendRequest[], cap: QpCap): number {
        return find(wrs, super.firstTooLarge(wrs, cap));
      }
    },
  });

  it('is refused with all behind it, what stands before it is done', async () => {
    assert.equal(await kindOf(program), 'sound');
    assert.equal(
      await kindOf(
        program,
        first((wrs, bad) => (bad < 0 ? bad : Math.min(bad - 1, wrs.length))),
      ),
      'finding',
    );
  });

  it('may be taken, and then nothing is known of it', async () => {
    assert.equal(
      await kindOf(
        program,
        first(() => -1),
      ),
      'sound',
    );
  });

  it('is not one that the queue has room for', async () => {
    const usual = onQp(8, post('ibv_post_recv', '0x3'), post('ibv_post_send', '0x1'), settle, poll);
    assert.equal(
      await kindOf(
        usual,
        first(() => 0),
      ),
      'finding',
    );
  });
});

function small(wrId: string, ...sgList: readonly object[]): object {
  return { wrId, sgList, opcode: 'IBV_WR_SEND', sendFlags: ['IBV_SEND_SIGNALED'] };
}

describe('a request that the QP of the peer does not let in', () => {
  const path = join(__dirname, 'alarms', 'forbidden-operations-are-invalid', 'read.json');
  const program = programOf(readFileSync(path, 'utf8'));
  const { Responder } = soundParts;

  it('fails, and as nothing else', async () => {
    assert.equal(await kindOf(program), 'sound');
    const letting: Partial<Parts> = {
      Responder: class extends Responder {
        protected override lets(): boolean {
          return true;
        }
      },
    };
    assert.equal(await kindOf(program, letting), 'finding');
    const failing: Partial<Parts> = {
      Responder: class extends Responder {
        protected override refuseOperation(): Answer {
          this.qp.enterError();
          return { kind: 'operation-error' };
        }
      },
    };
    assert.equal(await kindOf(program, failing), 'finding');
  });
});

describe('a message to a QP of UC that names memory which it may not touch', () => {
  const path = join(__dirname, 'fixtures', 'rxe', '7.2', 'violation-of-uc-is-dropped.json');
  const { program: run } = JSON.parse(readFileSync(path, 'utf8')) as { readonly program: Program };
  const asking: Op = { call: 'ibv_query_qp', args: { qp: { of: 'qp18' }, attrMask: ['IBV_QP_STATE'] } };
  const program = { ...run, ops: [...run.ops, { settle: true }, asking] } as const;
  const refusingBy = (refuse: (qp: InstanceType<typeof Qp>) => void): Partial<Parts> => ({
    Responder: class extends soundParts.Responder {
      protected override refuse(): Answer {
        refuse(this.qp);
        return silence;
      }
    },
  });

  it('is dropped, and the QP goes on or fails and says so', async () => {
    assert.equal(await kindOf(program), 'sound');
    assert.equal(
      await kindOf(
        program,
        refusingBy(() => undefined),
      ),
      'sound',
    );
    const draining = refusingBy((qp) => {
      qp.modify({ qpState: 'IBV_QPS_SQD' });
    });
    assert.equal(await kindOf(program, draining), 'finding');
  });
});

describe('a datagram of another Q_Key than that of its QP', () => {
  const path = join(__dirname, 'fixtures', 'rxe', '6.12', 'changes-of-state', 'datagram-of-another-key.json');
  const { program } = JSON.parse(readFileSync(path, 'utf8')) as { readonly program: Program };

  it('may be taken or not', async () => {
    assert.equal(await kindOf(program), 'sound');
    const taking: Partial<Parts> = {
      Responder: class extends soundParts.Responder {
        protected override ignores(): boolean {
          return false;
        }
      },
    };
    assert.equal(await kindOf(program, taking), 'sound');
  });
});

describe('two ways to write a program', () => {
  const path = join(__dirname, 'fixtures', 'refused-inline-list.json');
  const program = programOf(readFileSync(path, 'utf8'));
  const givesUp: Partial<Parts> = {
    Requester: class extends soundParts.Requester {
      protected override waitForReceive(_whenPosted: NoReceive['whenPosted'], posted: Posted): void {
        this.giveUp(posted);
      }
    },
  };

  it('are no pair where a list is refused in one of them', async () => {
    const explorer = new Explorer(new SimBackend({ ...soundParts, ...givesUp }), { oracles: ['metamorphic'] });
    assert.equal((await explorer.examine(program)).kind, 'sound');
  });
});
