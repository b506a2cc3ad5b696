import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CallOp, Program } from '../../../programs/program';
import { callsOf } from '../../../programs/program';
import { SimBackend } from '../../../sim/backend';
import { soundParts } from '../../../sim/device/device';
import { simulatedDut } from '../../../sim/device/dut';
import { Explorer } from '../../explorer';
import { makesSense } from '../../sound';
import { Chance } from '../chance';
import { moves } from '../generate';
import type { Move } from '../moves/move';
import { makeChannel, makeCq, makePair, bringUp, makeSrq, openDevice } from '../objects';
import { ProgramIsOver, Walk } from '../walk';
import { Interruptions } from './asides';
import { interludes } from './interludes';
import { seldom } from './seldom';
import { withUnmasked } from './unmasked';

const { capabilities } = simulatedDut;

/** A program that makes a pair, and then does so. */
async function programOf(seed: number, make: Move['make']): Promise<Program> {
  const w = new Walk(new Chance(seed), { cqe: 4, receives: 4, batch: 4 }, new Set(capabilities), new Set());
  await w.begin();
  try {
    await openDevice(w);
    const channel = await makeChannel(w);
    const cq = await makeCq(w, { cqe: 16, channel });
    const pair = await makePair(w, { type: 'IBV_QPT_RC', cqs: [cq, cq, cq, cq], srq: await makeSrq(w) });
    for (const qp of pair) await bringUp(w, qp);
    await make(w);
    await w.settle();
  } catch (error) {
    if (!(error instanceof ProgramIsOver)) throw error;
  }
  return { version: 1, seed: `${seed}`, ops: w.ops };
}

async function isSound(program: Program): Promise<boolean> {
  const outcome = await new Explorer(new SimBackend(soundParts)).examine(program);
  return outcome.kind === 'sound' && (await makesSense(program));
}

describe('what moves seldom come to', () => {
  for (const { make } of seldom) {
    it(`makes sense, and accuses no sound simulator: ${make.name}`, async () => {
      const sizes = new Set<number>();
      for (let seed = 1; seed <= 12; seed++) {
        const program = await programOf(seed, make);
        assert.ok(await isSound(program), `seed ${seed}`);
        sizes.add(callsOf(program).length);
      }
      assert.ok(sizes.size > 3, 'it is not always the same');
    });
  }
});

describe('what stands between the calls of a move', () => {
  it('accuses no sound simulator, and ends no object of the program, used or not', async () => {
    for (const [index, make] of interludes.entries()) {
      const unused = async (w: Walk): Promise<void> => {
        await makeCq(w, { cqe: 4 });
        await makeSrq(w);
        await make(w);
        const objects = [...w.cqs, ...w.srqs, ...w.qps, ...w.channels];
        assert.deepEqual([w.cqs.length, w.srqs.length, w.qps.length, w.channels.length], [2, 2, 2, 1]);
        assert.ok(
          objects.every(({ name }) => w.backend.isLiving(w.handle(name))),
          `${index}`,
        );
      };
      for (let seed = 1; seed <= 8; seed++)
        assert.ok(await isSound(await programOf(seed, unused)), `${index}, seed ${seed}`);
    }
  });

  it('leaves it to the same chances what moves do', async () => {
    const sendOften = async (w: Walk): Promise<void> => {
      for (let sends = 0; sends < 6; sends++) await moves['send-one']?.make(w);
    };
    let added = 0;
    for (let seed = 1; seed <= 16; seed++) {
      const usual = await programOf(seed, sendOften);
      const other = await programOf(seed, (w) => {
        w.accompany(new Interruptions(new Chance(seed)));
        return sendOften(w);
      });
      const [left, all] = [usual, other].map((program) => callsOf(program).map(({ call }) => call));
      const rest = left?.slice() ?? [];
      for (const call of all ?? []) if (call === rest[0]) rest.shift();
      assert.deepEqual(rest, [], `seed ${seed}`);
      added += (all?.length ?? 0) - (left?.length ?? 0);
    }
    assert.ok(added > 20, `${added} calls`);
  });
});

describe('a call with what its mask does not name', () => {
  const attr = { qpState: 'IBV_QPS_RTS', sqPsn: 0 };
  const attrMask = ['IBV_QP_STATE', 'IBV_QP_SQ_PSN'];
  const modify: CallOp = { call: 'ibv_modify_qp', args: { qp: { of: 'qp' }, attr, attrMask } };

  it('has the attributes that it names as they were, and the same mask', () => {
    const chance = new Chance(1);
    const written = Array.from({ length: 40 }, () => withUnmasked(chance, modify).args);
    for (const args of written) {
      assert.deepEqual(args.attrMask, attrMask);
      const { qpState, sqPsn } = args.attr as { qpState?: unknown; sqPsn?: unknown };
      assert.deepEqual({ qpState, sqPsn }, attr);
    }
    const members = new Set(written.flatMap((args) => Object.keys(args.attr as object)));
    assert.equal(members.size, 2 + 8, 'each other attribute is there at times');
  });

  it('tells an SRQ of a size that it is not asked to change to', () => {
    const asking = (...srqAttrMask: string[]): CallOp => ({
      call: 'ibv_modify_srq',
      args: { srq: { of: 'srq' }, srqAttr: { srqLimit: 2 }, srqAttrMask },
    });
    const told = withUnmasked(new Chance(1), asking('IBV_SRQ_LIMIT'));
    assert.deepEqual(told.args.srqAttr, { maxWr: 1, srqLimit: 2 });
    const resizing = asking('IBV_SRQ_LIMIT', 'IBV_SRQ_MAX_WR');
    assert.equal(withUnmasked(new Chance(1), resizing), resizing);
  });
});
