import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callsOf, nameIn, type Program } from '../../programs/program';
import { runProgram } from '../../programs/run-program';
import { SimBackend } from '../../sim/backend';
import { soundParts } from '../../sim/device/device';
import { simulatedDut } from '../../sim/device/dut';
import { generate } from './generate';

/** What ends an object, and the calls that have used it before. */
const endings = [
  ['ibv_destroy_ah', ['ibv_post_send']],
  ['ibv_dereg_mr', ['ibv_post_send', 'ibv_post_recv']],
  ['ibv_dealloc_pd', ['ibv_create_qp']],
  ['ibv_close_device', ['ibv_create_cq', 'ibv_create_cq_ex']],
] as const;

/** The calls of a program that end what it has used, and do so. */
async function endsOfUsed(program: Program): Promise<readonly string[]> {
  const calls = callsOf(program);
  const { records } = await runProgram(new SimBackend(soundParts), program);
  return calls.flatMap(({ call, args }, at) => {
    const users: readonly string[] = endings.find(([ends]) => ends === call)?.[1] ?? [];
    const name = JSON.stringify(nameIn(Object.values(args)[0]));
    const isUsed = calls
      .slice(0, at)
      .some((one) => users.includes(one.call) && JSON.stringify(one.args).includes(name));
    return isUsed && records[at]?.returned === 0 ? [call] : [];
  });
}

test('programs end what they have used, up to the contexts', async () => {
  const { capabilities } = simulatedDut;
  const programs = await Promise.all(
    Array.from({ length: 150 }, (_, index) => generate({ seed: 5, capabilities }, index)),
  );
  const ended = (await Promise.all(programs.map(endsOfUsed))).map((calls) => new Set(calls));
  for (const [call] of endings) {
    const count = ended.filter((calls) => calls.has(call)).length;
    assert.ok(count >= 2, `${call} in ${count} programs`);
  }
});
