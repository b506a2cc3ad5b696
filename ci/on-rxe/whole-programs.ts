/**
 * Programs that the host executes whole give the records that they give operation by operation, on a real rdma_rxe in a VM;
 * and nothing of them is left. With --bench it measures how many a second there are instead.
 *
 *     node -r ./ci/typescript.js ci/on-rxe/whole-programs.ts [--bench]
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { VmTime } from '../../drivers/contract';
import { hostProgram } from '../../drivers/native/carriers/local-carrier';
import { NativeBackend } from '../../drivers/native/client/native-backend';
import { executeInParts } from '../../drivers/programs/in-parts';
import { runProgram, untilDeadline } from '../../drivers/programs/run-program';
import type { Program, ProgramRecord } from '../../drivers/programs/program';
import { startVm } from '../../drivers/vm/vm';
import { blockedPrograms, openingBatch, readingBatch, steadyPrograms, thereAndBack } from './programs/rc-programs';
import { comparable } from './programs/same-records';

const deadlineMs = 3000;

/** Nothing here is about the deadlines of the client. */
const slowness = 5;

async function start(time: VmTime): Promise<NativeBackend> {
  const virtual = time === 'virtual' ? ['--virtual-time'] : [];
  const hostCommand = (session: number): string[] => [
    process.execPath,
    ...['--no-opt', hostProgram, '--session', String(session), ...virtual],
  ];
  const carrier = await startVm({ kernel: '6.1', hostCommand, time, progress: () => undefined });
  const limits = { eventMs: 10_000, quietMs: 80 };
  return NativeBackend.start(carrier, { device: 'rxe0', portNum: 1, gidIndex: 1, ownsDevice: true, limits, slowness });
}

/** How many runs of a program there are in a second. */
async function measure(backend: NativeBackend, program: Program, count: number, batch: number): Promise<string> {
  const startedAt = Date.now();
  for (let done = 0; done < count; done += Math.max(batch, 1)) {
    if (batch > 0) await backend.executeWhole({ programs: Array.from({ length: batch }, () => program), deadlineMs });
    else {
      await runProgram(backend, program, { patience: untilDeadline(backend, deadlineMs) });
    }
  }
  return `${((1000 * count) / (Date.now() - startedAt)).toFixed(1)} programs/s`;
}

async function bench(): Promise<void> {
  const [program] = steadyPrograms;
  assert.ok(program !== undefined);
  const busy = { ...program, ops: program.ops.filter((op) => !('settle' in op)) };
  for (const time of ['wall', 'virtual'] as const) {
    const backend = await start(time);
    try {
      for (const [name, some] of [
        ['with a settle', program],
        ['without', busy],
      ] as const) {
        const rates = [
          `op by op ${await measure(backend, some, 16, 0)}`,
          `whole ${await measure(backend, some, 64, 1)}`,
          `whole by 32 ${await measure(backend, some, 128, 32)}`,
        ];
        process.stdout.write(`${time} time, ${name}: ${rates.join(', ')}\n`);
      }
    } finally {
      await backend.close();
    }
  }
}

/** Programs that take more than one request. */
function checkParts(backend: () => NativeBackend): void {
  it('go on in the next request, where the batch is open that they have opened', async () => {
    await backend().begin();
    const part = { programs: [{ ops: openingBatch }], deadlineMs, goesOn: true, keep: ['cq'] };
    const [begun] = await backend().executeWhole(part);
    assert.deepEqual([begun?.records.at(-1)?.returned, begun?.cleanup], [0, []]);
    const rest = { programs: [{ ops: readingBatch }], deadlineMs, names: begun?.kept ?? {} };
    const [ended] = await backend().executeWhole(rest);
    const [read, end, again] = ended?.records ?? [];
    assert.equal(read?.outputs.status, 'IBV_WC_WR_FLUSH_ERR');
    assert.deepEqual([end?.verb, again?.returned], ['ibv_end_poll', 2]);
    assert.deepEqual([ended?.cleanup, await backend().end()], [[], []]);
  });

  it('hear of the link of the port, which is moved between two requests', async () => {
    await backend().begin();
    const run = await executeInParts(backend(), thereAndBack, { deadlineMs, quietMs: 80 });
    assert.deepEqual(
      run?.records.map((record) => record?.outputs.state ?? record?.outputs.eventType),
      [undefined, 'IBV_PORT_DOWN', 'IBV_EVENT_PORT_ERR', 'IBV_PORT_ACTIVE', 'IBV_EVENT_PORT_ACTIVE'],
    );
    assert.deepEqual([run.cleanup, await backend().end()], [[], []]);
  });
}

function check(time: VmTime): void {
  describe(`programs that are executed whole, in ${time} time`, () => {
    let backend: NativeBackend;
    const oneByOne = new Map<Program, readonly (ProgramRecord | undefined)[]>();
    before(async () => {
      backend = await start(time);
      const patience = untilDeadline(backend, deadlineMs);
      for (const program of steadyPrograms) {
        oneByOne.set(program, (await runProgram(backend, program, { patience })).records);
      }
      await backend.end(); // what they have left ends with the host process
    });
    after(() => backend.close());

    for (const program of steadyPrograms) {
      it(`give the records that they give call by call: ${program.seed}`, async () => {
        await backend.begin();
        const [run] = await backend.executeWhole({ programs: [program], deadlineMs });
        assert.deepEqual(comparable(run?.records ?? []), comparable(oneByOne.get(program) ?? []));
        assert.deepEqual(run?.cleanup, []);
        assert.deepEqual(await backend.end(), []);
      });
    }

    it('say which call is blocked, and leave nothing even so', async () => {
      await backend.begin();
      const runs = await backend.executeWhole({ programs: blockedPrograms, deadlineMs });
      const blocked = runs.map(({ records }) => records.find((record) => record?.blocked)?.verb);
      assert.deepEqual(blocked, ['ibv_get_cq_event', 'ibv_destroy_cq', 'ibv_destroy_cq']);
      for (const { cleanup, hangs } of runs) assert.deepEqual([cleanup, hangs], [[], false]);
      assert.deepEqual(await backend.end(), []);
    });

    it('know what those before them have kept', async () => {
      await backend.begin();
      const [program] = steadyPrograms;
      assert.ok(program !== undefined);
      const later = { ops: program.ops.slice(2) };
      const runs = await backend.executeWhole({ programs: [program, later], deadlineMs, keep: ['ctx', 'pd'] });
      const [first = [], second = []] = runs.map(({ records }) => records);
      assert.deepEqual(comparable(second.slice(-3)), comparable(first.slice(-3)));
      const left = await backend.end();
      assert.deepEqual(
        left.filter((handle) => handle.includes('#')).map((handle) => handle.replace(/#.*/, '')),
        ['context', 'pd'],
      );
    });
    checkParts(() => backend);
  });
}

if (process.argv.includes('--bench')) void bench();
else for (const time of ['wall', 'virtual'] as const) check(time);
