import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SimBackend } from '../../../sim/backend';
import { soundParts } from '../../../sim/device/device';
import { simulatedDut } from '../../../sim/device/dut';
import { cellKey, type Cell } from '../../coverage/cell';
import { Explorer } from '../../explorer';
import { callsOf, programVersion, type Program } from '../../../programs/program';
import type { Act } from '../aim';
import { Chance } from '../chance';
import { takeAsync } from '../completions';
import { makeChannel, makeCq, openDevice, setNonblocking } from '../objects';
import { newPair } from '../moves/lifetimes';
import { of, Walk } from '../walk';
import { cqEndings, cqStateActs } from './cq-states';
import { eventTypeActs } from './event-acts';
import { failingActs } from './failing-acts';
import { qpHereActs } from './qp-acts';
import { qpStateActs } from './qp-states';
import { raisingActs } from './raising-acts';

type Acts = (w: Walk) => Act[];

/** A program that has made objects, and hears which cells it reaches. */
async function begun(seed: number, see?: (cell: Cell) => void): Promise<Walk> {
  const caps = { cqe: 4, receives: 2, batch: 2 };
  const w = new Walk(new Chance(seed), caps, new Set(simulatedDut.capabilities), new Set(), see);
  await w.begin();
  await openDevice(w);
  await makeChannel(w);
  for (let made = 0; made < 2; made++) await makeCq(w, { cqe: 16 });
  await newPair(w, 'IBV_QPT_RC');
  await w.settle();
  return w;
}

/** A program with objects of its own and one act, and the cells that it reaches. */
async function programOf(acts: Acts, at: number): Promise<{ act?: Act; program: Program; cells: Set<string> }> {
  const cells = new Set<string>();
  const w = await begun(7 + at, (cell) => void cells.add(cellKey(cell)));
  if (acts === eventTypeActs) await raiseEvents(w);
  const act = acts(w)[at];
  await act?.make();
  return { ...(act && { act }), program: { version: programVersion, seed: `act-${at}`, ops: w.ops }, cells };
}

/** Two events are owed acks, and a third one waits. */
async function raiseEvents(w: Walk): Promise<void> {
  for (let raised = 0; raised < 3; raised++) {
    await raisingActs(w)[0]?.make();
    if (raised < 2) await takeAsync(w);
  }
}

const kinds: readonly (readonly [string, Acts])[] = [
  ['that bring CQs into a state', cqStateActs],
  ['that bring QPs into a state', qpStateActs],
  ['that end CQs', cqEndings],
  ['that end QPs, or send, where they are', qpHereActs],
  ['for events of each type', eventTypeActs],
  ['whose sends fail', failingActs],
  ['that raise events', raisingActs],
];

describe('acts', () => {
  for (const [name, acts] of kinds) {
    it(`${name} reach mostly what they are there for, and accuse no sound simulator`, async () => {
      let [goals, reached] = [0, 0];
      for (let at = 0; ; at++) {
        const { act, program, cells } = await programOf(acts, at);
        if (act === undefined) break;
        const { leadsTo } = act;
        const wanted = (act.goals ?? []).map(cellKey);
        goals += wanted.length;
        reached += wanted.filter((key) => cells.has(key)).length;
        assert.ok(act.situation !== undefined || leadsTo !== undefined, `act ${at}`);
        assert.equal((await new Explorer(new SimBackend(soundParts)).examine(program)).kind, 'sound', `act ${at}`);
      }
      assert.ok(goals > 0 && reached >= 0.75 * goals, `${reached} of ${goals}`);
    });
  }

  it('acknowledge the last of several events alone', async () => {
    const w = await begun(1, () => undefined);
    await raiseEvents(w);
    const [first, last] = w.events;
    const ack = eventTypeActs(w).find(({ goals, situation }) => !goals && situation?.operation.includes('ack'));
    await ack?.make();
    assert.deepEqual(w.events, [first]);
    assert.deepEqual(
      callsOf({ ops: w.ops.slice(-1) }).map(({ call, args }) => [call, args]),
      [['ibv_ack_async_event', { event: of(last?.name ?? '') }]],
    );
  });

  it('get no event that a device may have left out, where that would wait', async () => {
    const w = await begun(1, () => undefined);
    await setNonblocking(w, w.context, false);
    const established = raisingActs(w).find(({ situation }) => situation?.operation.startsWith('IBV_EVENT_COMM_EST'));
    await established?.make();
    assert.equal(w.backend.nextAsyncEvent(w.handle(w.context)), 'IBV_EVENT_COMM_EST');
    assert.deepEqual(eventTypeActs(w), []);
  });
});
