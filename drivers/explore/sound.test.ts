import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { programOf } from '../programs/check-program';
import type { Program } from '../programs/program';
import { makesSense } from './sound';

test('a program that destroys an SRQ before its QP makes no sense, and one that destroys it after does', async () => {
  const program = programOf(readFileSync(join(__dirname, 'fixtures', 'srq-in-use-is-destroyed.json'), 'utf8'));
  assert.equal(await makesSense(program), false);
  const [last] = program.ops.slice(-1);
  const [qp] = program.ops.flatMap((op) => ('call' in op && op.call === 'ibv_create_qp' ? [op.as ?? ''] : []));
  const inThread = [...program.ops.slice(0, -1), { par: [[last ?? assert.fail()]] }] as Program['ops'];
  assert.equal(await makesSense({ ...program, ops: inThread }), false);
  const destroyQp = { call: 'ibv_destroy_qp' as const, args: { qp: { of: qp ?? assert.fail() } } };
  const ops = [...program.ops.slice(0, -1), destroyQp, last ?? assert.fail()];
  assert.equal(await makesSense({ ...program, ops }), true);
});
