import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { executeInParts } from './in-parts';
import type { Op, Program, ProgramRecord } from './program';
import type { WholeBackend, WholeRequest, WholeRun } from './whole';

const [settle, down, up] = [{ settle: true }, { port: 'down' }, { port: 'up' }] as const;
const open: Op = { call: 'ibv_open_device', args: { device: { of: 'dut', member: 'name' } }, as: 'ctx' };
const alloc: Op = { call: 'ibv_alloc_pd', args: { context: { of: 'ctx' } }, as: 'pd' };
const query: Op = { call: 'ibv_query_port', args: { context: { of: 'ctx' }, portNum: 1 } };
const times = { deadlineMs: 1000, quietMs: 5 };
const names = { ctx: { handle: 'context#1', outputs: {} } };
const whole: WholeRun = { records: [undefined], cleanup: [], kept: names, isLate: false, hangs: false };

type Step = 'down' | 'up' | WholeRequest;

/** What a host and its link are asked for, one after the other, if each part comes to that. */
async function stepsOf(ops: readonly Op[], answers: readonly (WholeRun | undefined)[]) {
  const steps: Step[] = [];
  const left = [...answers];
  const backend: Partial<WholeBackend> = {
    setPortUp: (isUp) => {
      steps.push(isUp ? 'up' : 'down');
      return Promise.resolve();
    },
    executeWhole: (request) => {
      steps.push(request);
      return Promise.resolve([left.shift()].flatMap((run) => run ?? []));
    },
  };
  const program: Program = { version: 1, seed: '1', ops };
  return { run: await executeInParts(backend as WholeBackend, program, times), steps };
}

const nothing: ProgramRecord = { verb: 'ibv_query_port', args: {}, returned: 0, errno: 0, outputs: {} };

describe('a program that moves the link of the port', () => {
  it('is executed by a request for each part, which knows the objects of those before it', async () => {
    const { steps } = await stepsOf([open, down, alloc, query, up, query], [whole, whole, whole]);
    const goesOn = { goesOn: true, keep: ['ctx', 'pd'] };
    assert.deepEqual(steps, [
      { programs: [{ ops: [open] }], ...times, names: {}, ...goesOn },
      'down',
      { programs: [{ ops: [settle, alloc, query] }], ...times, names, ...goesOn },
      'up',
      { programs: [{ ops: [settle, query] }], ...times, names: { ...names, pd: { handle: null, outputs: {} } } },
    ]);
  });

  it('goes on where a part has made nothing of what it names', async () => {
    const { steps } = await stepsOf([open, alloc, down, query, up, query], [whole, whole, whole]);
    const unmade = { pd: { handle: null, outputs: {} } };
    const known = steps.flatMap((step) => (typeof step === 'string' ? [] : [step.names]));
    assert.deepEqual(known, [{}, { ...names, ...unmade }, { ...names, ...unmade }]);
  });

  it('comes to what its parts come to', async () => {
    const last = { ...whole, records: [nothing], kept: {}, cleanup: [] };
    const { run } = await stepsOf([open, down, query], [whole, last]);
    assert.deepEqual(run, { ...last, records: [undefined, nothing] });
  });

  for (const [what, end] of [
    ['late', { ...whole, isLate: true }],
    ['refused', { ...whole, refusal: new Error('a batch is open') }],
    ['one that hangs', { ...whole, hangs: true }],
  ] as const) {
    it(`ends with a part that is ${what}`, async () => {
      const { run, steps } = await stepsOf([open, down, query, up, query], [whole, end, whole]);
      assert.deepEqual(run, { ...end, records: [undefined, undefined] });
      assert.equal(steps.length, 3);
    });
  }

  it('comes to nothing where a part has no answer', async () => {
    const { run, steps } = await stepsOf([open, down, query], [undefined]);
    assert.deepEqual([run, steps.length], [undefined, 1]);
  });
});

describe('a program that leaves the link alone', () => {
  it('is executed by one request, which keeps nothing', async () => {
    const { steps } = await stepsOf([open, settle, query], [whole]);
    assert.deepEqual(steps, [{ programs: [{ ops: [open, settle, query] }], ...times, names: {} }]);
  });
});
