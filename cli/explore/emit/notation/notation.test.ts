import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { simulatedDut } from '../../../../drivers/sim/device/dut';
import { generate } from '../../../../drivers/explore/generate/generate';
import type { Op, ProgramValue } from '../../../../drivers/programs/program';
import { opLines, valueText } from './print';
import { readOps } from './read';
import { readValue } from './read-value';

const again = (ops: readonly Op[]): Op[] => readOps(opLines(ops).join('\n'));

describe('the notation of programs', () => {
  it('says every generated program as it is', async () => {
    const { capabilities } = simulatedDut;
    for (let index = 0; index < 12; index++) {
      const { ops } = await generate({ seed: 21, capabilities }, index);
      assert.deepEqual(again(ops), ops, `program ${index}`);
    }
  });

  const values: readonly ProgramValue[] = [
    null,
    true,
    false,
    0,
    -1,
    0.5,
    4294967295,
    '',
    'NULL',
    'true',
    'IBV_WC_SUCCESS',
    '0x0',
    '0x01',
    '0xffffffffffffffff',
    'a "text"; with \\ and ```\n\u001b[31m\u202e',
    [],
    [[], [1, 'x']],
    {},
    { of: 'cq1' },
    { of: 'true' },
    { of: 'mr1', member: 'addr' },
    { of: 'mr1', member: 'addr', plus: 0 },
    { of: 'mr1', member: 'addr', plus: -64 },
    { of: 'mr1', plus: 1 },
    { a: { b: [{ c: 1 }, { c: null }] } },
  ];
  for (const value of values) {
    it(`keeps ${JSON.stringify(value)}`, () => {
      const text = valueText(value);
      assert.deepEqual(readValue(text), value);
      assert.match(text, /^[\x20-\x7e]*$/);
    });
  }

  it('keeps threads, also empty ones and those within each other', () => {
    const settle: Op = { settle: true };
    const call: Op = { call: 'ibv_alloc_pd', args: { context: { of: 'ctx' } }, as: 'pd' };
    const ops: readonly Op[] = [settle, { par: [[], [call, { par: [[settle]] }]] }, call];
    assert.deepEqual(again(ops), ops);
  });

  it('keeps the moves of the link, and says each in a line', () => {
    const settle: Op = { settle: true };
    const ops: readonly Op[] = [{ port: 'down' }, settle, { port: 'up' }, { port: 'down' }];
    assert.deepEqual(opLines(ops), ['port down', 'settle', 'port up', 'port down']);
    assert.deepEqual(again(ops), ops);
  });

  const damaged: Readonly<Record<string, RegExp>> = {
    'ibv_steal_pd()': /^line 1 of the calls: no such call is known/,
    'settle\nibv_alloc_pd(.context = )': /^line 2 of the calls/,
    'ibv_alloc_pd(.context = ctx': /^line 1/,
    'ibv_alloc_pd(.context ctx)': /^line 1/,
    'ibv_alloc_pd(.context = ctx }) ': /^line 1/,
    'ibv_alloc_pd(.context = "\\x")': /^line 1/,
    'ibv_alloc_pd(.__proto__ = 1)': /^line 1/,
    'parallel {\nthread {\nsettle': /a thread has no end/,
    'parallel {\nsettle\n}': /in parallel has no end/,
    'port sideways': /^line 1 of the calls/,
    'settle\n}': /^line 2 of the calls: it ends nothing/,
    [`ibv_alloc_pd(.context = ${'['.repeat(10_000)})`]: /^line 1/,
  };
  for (const [text, pattern] of Object.entries(damaged)) {
    it(`refuses ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.throws(
        () => readOps(text),
        (error: unknown) => {
          const { message } = error as Error;
          assert.match(message, pattern);
          assert.ok(!message.includes('\n') && message.length < 250, message);
          return true;
        },
      );
    });
  }
});
