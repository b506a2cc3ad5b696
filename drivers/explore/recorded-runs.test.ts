import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { programOf } from '../programs/check-program';
import { wordPattern } from '../programs/bindings';
import { callsOf, isParallel, type Op, type ProgramRecord } from '../programs/program';
import { runProgram } from '../programs/run-program';
import { SimBackend } from '../sim/backend';
import { soundParts } from '../sim/device/device';
import { simulatedDut } from '../sim/device/dut';
import { drainRefusesReset } from './model/guided-backend';
import { srqOfUc } from './model/guides';
import { Ledger } from './model/looseness';
import { lastWqeAgain } from './model/guided-events';
import { windowIsOpen } from './model/guided-memory';
import { sharedReceiveFails, shortDatagramFails } from './model/known/short-receives';
import { lateReceiveStays, resetQueueNeverDrains } from './model/guided-qp';
import { workFlushesReceives } from './model/known/late-receives';
import { timeoutOutlivesReset } from './model/guided-requester';
import { waitingSendStays } from './model/known/sends-left-in-sqd';
import { followingIsFlushed, rnrIsLoss, rnrTimesOut } from './model/known/waiting-sends';
import { inPlaceOf } from './model/known/other-status';
import { brokenAxiom } from './oracle/axioms';
import { verdictOf } from './oracle/inclusion';

const folder = join(__dirname, 'fixtures', 'rxe');
const since612 = [
  timeoutOutlivesReset,
  lastWqeAgain,
  workFlushesReceives,
  followingIsFlushed,
  sharedReceiveFails,
  resetQueueNeverDrains,
  inPlaceOf('IBV_WC_LOC_PROT_ERR', 'IBV_WC_WR_FLUSH_ERR'),
  inPlaceOf('IBV_WC_MW_BIND_ERR', 'IBV_WC_WR_FLUSH_ERR'),
];
/** What soft-RoCE is known for: of each kernel, and of all. */
const knownOfKernel: Readonly<Record<string, readonly string[]>> = {
  6.1: [rnrTimesOut, shortDatagramFails],
  6.12: since612,
  7.2: since612,
};
const knownOfAll = [
  'ibv_req_notify_cq.solicited-send-error',
  'ibv_req_notify_cq.solicited-recv-error',
  'ibv_poll_cq.overrun-cq-unusable',
  inPlaceOf('IBV_WC_LOC_LEN_ERR', 'IBV_WC_LOC_QP_OP_ERR'),
  inPlaceOf('IBV_WC_LOC_PROT_ERR', 'IBV_WC_LOC_QP_OP_ERR'),
  inPlaceOf('IBV_WC_REM_INV_REQ_ERR', 'IBV_WC_REM_OP_ERR'),
  rnrIsLoss,
  srqOfUc,
  waitingSendStays,
  lateReceiveStays,
  windowIsOpen,
  drainRefusesReset,
  'ibv_poll_cq.flag-with-inv',
  'ibv_get_async_event.event-sq-drained',
];
const known = (kernel: string): ReadonlySet<string> =>
  new Set([...knownOfAll, ...(knownOfKernel[kernel] ?? assert.fail(kernel))]);

/** A program, and the records of a run of it on soft-RoCE of a kernel. */
function recordedRun(name: string) {
  const text = readFileSync(join(folder, name), 'utf8');
  const { program } = JSON.parse(text) as { program: unknown };
  const { records } = JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'string' && wordPattern.test(value) ? BigInt(value) : value,
  ) as { records: readonly (ProgramRecord | null)[] };
  return {
    program: programOf(JSON.stringify(program)),
    records: records.map((record) => record ?? undefined),
  };
}

describe('a run on soft-RoCE that once accused it', () => {
  for (const kernel of readdirSync(folder)) {
    const files = readdirSync(join(folder, kernel), { recursive: true, encoding: 'utf8' });
    for (const name of files.filter((one) => one.endsWith('.json'))) {
      it(`does not any more: ${kernel}/${name}`, async () => {
        const { program, records } = recordedRun(join(kernel, name));
        assert.equal(brokenAxiom(records, known(kernel)), undefined);
        const run = { records, countsWaits: false };
        const verdict = await verdictOf(program, run, simulatedDut, new Ledger(), known(kernel));
        assert.equal(verdict.kind, 'explained', JSON.stringify(verdict));
      });
    }
  }
});

it('has to give a CQE for which the CQEs that were lost before have left room', async () => {
  const { program, records } = recordedRun('6.1/lost-completions-take-no-room.json');
  const at = records.findIndex((record) => record?.verb === 'ibv_poll_cq');
  const [poll, polled] = [callsOf(program)[at] ?? assert.fail(), records[at] ?? assert.fail()];
  const ops = [...program.ops.slice(0, -2), { settle: true as const }, poll];
  const nothing: ProgramRecord = { ...polled, returned: 0, outputs: { wc: [], overflowed: false } };
  const run = { records: [...records.slice(0, -2), nothing], countsWaits: false };
  assert.equal((await verdictOf({ ...program, ops }, run, simulatedDut, new Ledger(), known('6.1'))).kind, 'violation');
});

it('may give what comes to whichever of two gets that wait for it', async () => {
  const { program } = recordedRun('7.2/event-that-another-get-takes.json');
  const isError = (op: Op | undefined): boolean => JSON.stringify(op).includes('IBV_QPS_ERR');
  const [fails = assert.fail(), threads = assert.fail()] = program.ops.filter((op) => isError(op) || isParallel(op));
  assert.ok(isParallel(threads));
  const [one = [], other = [], [settle, ...later] = []] = threads.par;
  assert.ok(settle);
  const par = [one, other, [settle, fails, ...later]];
  const ops = program.ops.flatMap((op): Op[] => (op === fails ? [] : op === threads ? [{ par }] : [op]));
  const whole = { ...program, ops };
  const { records } = await runProgram(new SimBackend(soundParts), whole);
  const taken = records.flatMap((record, at) => (record?.verb === 'ibv_get_async_event' && record.waited ? [at] : []));
  const [first = assert.fail(), second = assert.fail()] = taken;
  assert.notDeepEqual(records[first]?.outputs.eventType, records[second]?.outputs.eventType);
  const swapped = records.with(first, records[second]).with(second, records[first]);
  for (const some of [records, swapped]) {
    const verdict = await verdictOf(
      whole,
      { records: some, countsWaits: false },
      simulatedDut,
      new Ledger(),
      new Set(),
    );
    assert.equal(verdict.kind, 'explained', JSON.stringify(verdict));
  }
});
