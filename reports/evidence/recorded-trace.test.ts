import assert from 'node:assert/strict';
import { Attachment } from '@cucumber/messages';
import { describe, it } from 'node:test';
import { mediaTypes } from '../../drivers/contract';
import type { RecordedAttempt, RecordedStep } from '../recording/recorded-run';
import { parseTrace, traceOf, type RecordedCall } from './recorded-trace';

const call = (verb: string, more: Partial<RecordedCall> = {}): RecordedCall => ({
  ...{ verb, args: {}, returned: 0, outputs: {}, startedAt: 0, durationUs: 1 },
  ...more,
});

const step = (title: string, kind: RecordedStep['kind'] = 'step'): RecordedStep => ({
  ...{ kind, title, testStepId: title, result: undefined },
});

function attempt(attached: readonly (readonly [mediaType: string, content: unknown])[]): RecordedAttempt {
  return {
    testCaseStartedId: '1',
    startMs: 0,
    stopMs: 1,
    steps: [
      step('Before hook', 'before-hook'),
      step('Given a CQ', 'given'),
      step('When it is armed'),
      step('Then it is'),
    ],
    attachments: attached.map(([mediaType, content]) =>
      Object.assign(new Attachment(), { mediaType, body: JSON.stringify(content) }),
    ),
  };
}

const calls = ['a', 'b', 'c'].map((verb) => call(verb));
const legend = { names: { 'cq#3': 'recv_cq', 'qp#1': 'own', 'mw#2': 'own', 'mr#4': 'own target' }, steps: [0, 2, 2] };

describe('a recorded trace', () => {
  it('knows which step has made each call, and what the scenario calls its objects', () => {
    const { scope, ...trace } = traceOf(
      attempt([
        [mediaTypes.trace, calls],
        [mediaTypes.traceLegend, legend],
      ]),
    );
    assert.deepEqual(trace, { calls, steps: ['Given a CQ', 'Given a CQ', 'Then it is'] });
    assert.deepEqual(['cq#3', 'cq#4', 'qp#1', 'mw#2', 'mr#4', 'toString'].map(scope.nameOf), [
      ...['recv_cq', 'cq#4', 'own_qp', 'own_mw', 'own_target', 'toString'],
    ]);
  });

  it('knows what the QPs of the clean-up are, which no step has tidied up', () => {
    const create = call('ibv_create_qp', { args: { qpInitAttr: { qpType: 'IBV_QPT_UD' } }, outputs: { qpNum: 5 } });
    const { steps, scope, ...trace } = traceOf(
      attempt([
        [mediaTypes.trace, [create]],
        [mediaTypes.cleanUpTrace, calls],
        [mediaTypes.traceLegend, legend],
      ]),
      mediaTypes.cleanUpTrace,
    );
    assert.deepEqual({ ...trace, steps }, { calls, steps: [] });
    assert.deepEqual([5, 6].map(scope.qpTypeOf), ['IBV_QPT_UD', undefined]);
  });

  for (const [title, attached] of [
    ['of earlier versions has no legend', []],
    ['may have one that is none', [[mediaTypes.traceLegend, { names: { 'cq#3': 1 }, steps: 'x' }]]],
  ] as const) {
    it(title, () => {
      const { steps, scope } = traceOf(attempt([[mediaTypes.trace, calls], ...attached]));
      assert.deepEqual(steps, [undefined, undefined, undefined]);
      assert.equal(scope.nameOf('cq#3'), 'cq#3');
    });
  }

  it('is empty where there is none', () => {
    assert.deepEqual(traceOf(undefined).calls, []);
  });
});

it('what is not a trace is none', () => {
  assert.equal(parseTrace('[{"verb":'), undefined);
  assert.equal(parseTrace('[{"verb":"poll"}]'), undefined);
  assert.equal(parseTrace('{}'), undefined);
  assert.deepEqual(parseTrace(JSON.stringify(calls)), calls);
});
