import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Cq } from '../../drivers/sim/cq/cq';
import type { Fault } from '../../drivers/sim/faults/fault';
import { isWhole, planTrials } from './plan';
import type { RecordedScenario } from './prove-job';

class Resized extends Cq {
  override resize(): void {
    return undefined;
  }
}

const fault: Fault = { rules: ['page.own'], effect: 'it goes wrong', parts: { Cq: Resized } };

function scenario(line: number, rule: string, touches: readonly string[], calls = 1): RecordedScenario {
  const event = { kind: 'clock', node: 'left', nowMs: 0 } as const;
  return {
    uri: 'a.feature',
    line,
    name: `scenario ${line}`,
    clauseIds: [rule],
    verdict: 'pass',
    verbs: ['ibv_resize_cq', `verb of ${rule}`],
    checks: 1,
    touches,
    history: Array.from({ length: calls }, () => event),
    text: '',
    needs: [],
    definitions: [],
    writtenName: `scenario ${line}`,
    steps: [],
  };
}

const own = scenario(1, 'page.own', ['Cq.resize']);
const untouched = scenario(2, 'page.own', ['Cq.add']);
const other = scenario(3, 'page.other', ['Cq.resize'], 2);
const longer = scenario(4, 'page.other', ['Cq.resize', 'Cq.add'], 5);
const third = scenario(5, 'page.third', ['Cq.resize']);
const all = [own, untouched, other, longer, third];

function lines(scope: { ids?: readonly string[]; isSample: boolean }): number[] {
  return planTrials(fault, all, scope).map(({ line }) => line);
}

describe('what runs under a fault', () => {
  it('is all that touches what it replaces, where all shall run', () => {
    assert.deepEqual(lines({ isSample: false }), [1, 3, 4, 5]);
  });

  it('is one of those that call the same verbs otherwise: the one that does most', () => {
    assert.deepEqual(lines({ isSample: true }), [1, 4, 5]);
  });

  it('is what the user named, unless the fault is of that', () => {
    assert.deepEqual(lines({ isSample: false, ids: ['page.third'] }), [5]);
    assert.deepEqual(lines({ isSample: false, ids: ['page.own'] }), [1, 3, 4, 5]);
    assert.equal(isWhole(fault, { isSample: false, ids: ['page.third'] }), false);
    assert.equal(isWhole(fault, { isSample: false, ids: ['page.own'] }), true);
  });

  it('is run to its end where it is of the rules of the fault, others until they rely on these', () => {
    const trials = planTrials(fault, all, { isSample: false });
    assert.deepEqual(trials[0]?.uptoVerbs, []);
    assert.deepEqual(trials[1]?.uptoVerbs, ['ibv_resize_cq', 'verb of page.own']);
    const further = planTrials(fault, all, { isSample: true }, ({ line }) => line === 3);
    assert.deepEqual(
      further.map(({ line, uptoVerbs }) => [line, uptoVerbs.length]),
      [
        [1, 0],
        [3, 0],
        [4, 2],
        [5, 2],
      ],
    );
  });
});
