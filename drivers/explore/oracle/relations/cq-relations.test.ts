import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkedProgram } from '../../../programs/check-program';
import { callsOf, programVersion, type Program } from '../../../programs/program';
import { SimBackend } from '../../../sim/backend';
import type { Cqe } from '../../../sim/cq/cq';
import { soundParts, type Parts } from '../../../sim/device/device';
import { simulatedDut } from '../../../sim/device/dut';
import { Explorer, type Finding } from '../../explorer';
import { generate } from '../../generate/generate';
import { withBatches, withSplitCqs } from './cq-relations';
import { relations, rewritten } from '../metamorphic';

const { capabilities } = simulatedDut;
const programs = 1200;

/** A receive that completes while a send of the same CQ waits to be polled is lost. */
const losesReceives: Parts = {
  ...soundParts,
  Cq: class extends soundParts.Cq {
    override add(cqe: Cqe): void {
      if (cqe.queue === 'send' || !this.cqes.some(({ queue }) => queue === 'send')) super.add(cqe);
    }
  },
};

/** A batch gives the wr_id of a completion with another bit set. */
const misreadsBatches: Parts = {
  ...soundParts,
  CqIterator: class extends soundParts.CqIterator {
    override get wrId(): bigint {
      return super.wrId ^ 0x1000n;
    }
  },
};

/** The first finding of the metamorphic oracle alone, by that pair of programs. */
async function findingOf(parts: Parts, pair: RegExp): Promise<Finding | undefined> {
  const explorer = new Explorer(new SimBackend(parts), { oracles: ['metamorphic'] });
  for (let index = 0; index < programs; index++) {
    const outcome = await explorer.examine(await generate({ seed: 1, capabilities }, index));
    if (outcome.kind === 'finding' && pair.test(outcome.finding.difference.verb)) return outcome.finding;
  }
  return undefined;
}

describe('pairs of programs', () => {
  it('that have one CQ for sends and receives, and two, show a CQ that is wrong where it has both', async () => {
    assert.ok(await findingOf(losesReceives, /one CQ for sends/));
  });

  it('that poll an extended CQ, and read it in batches, show batches that are wrong', async () => {
    assert.ok(await findingOf(misreadsBatches, /batches/));
  });

  it('leave a CQ whole that is to be smaller: it may hold too much for that', () => {
    const cq = { of: 'cq' };
    const resized = (cqe: number): Program => ({
      version: programVersion,
      seed: 'sizes',
      ops: [
        { call: 'ibv_create_cq', args: { cqe: 8 }, as: 'cq' },
        { call: 'ibv_create_qp', args: { qpInitAttr: { sendCq: cq, recvCq: cq } }, as: 'qp' },
        { call: 'ibv_resize_cq', args: { cq, cqe } },
      ],
    });
    assert.deepEqual(
      [7, 8, 9].map((cqe) => withSplitCqs(resized(cqe))?.ops.length),
      [undefined, 5, 5],
    );
  });

  it('have two CQs where there was one, and no poll of an extended CQ', async () => {
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, index) => generate({ seed: 5, capabilities }, index)),
    );
    const count = (program: Program | undefined, verb: string): number =>
      program === undefined ? 0 : callsOf(program).filter(({ call }) => call === verb).length;
    const split = made.filter((program) => withSplitCqs(program) !== undefined);
    assert.ok(split.length > 0);
    for (const program of split)
      assert.ok(count(withSplitCqs(program), 'ibv_create_cq') > count(program, 'ibv_create_cq'));
    const batched = made.filter((program) => withBatches(program) !== undefined);
    assert.ok(batched.length > 0);
    for (const program of batched)
      assert.ok(count(withBatches(program), 'ibv_start_poll') > count(program, 'ibv_start_poll'));
  });

  it('can be executed whole', async () => {
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, index) => generate({ seed: 5, capabilities }, index)),
    );
    for (const relation of relations) {
      const others = made.flatMap((program) => rewritten(program, relation) ?? []);
      assert.ok(others.length > 0, relation.name);
      for (const other of others) assert.ok(checkedProgram(JSON.parse(JSON.stringify(other))));
    }
  });
});
