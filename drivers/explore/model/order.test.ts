import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TraceStruct } from '../../contract';
import { structsOf } from '../../pipeline/values';
import type { Program, ProgramRecord } from '../../programs/program';
import { programVersion } from '../../programs/program';
import { runProgram } from '../../programs/run-program';
import { SimBackend } from '../../sim/backend';
import { soundParts } from '../../sim/device/device';
import { simulatedDut } from '../../sim/device/dut';
import { Chance } from '../generate/chance';
import { piling } from '../generate/moves/piling';
import { openDevice } from '../generate/objects';
import { Walk } from '../generate/walk';
import { verdictOf } from '../oracle/inclusion';

type Records = readonly (ProgramRecord | undefined)[];

/** A program of one move. */
async function programOf(name: string, seed: number): Promise<Program> {
  const caps = { cqe: 4, receives: 4, batch: 4 };
  const walk = new Walk(new Chance(seed), caps, new Set(simulatedDut.capabilities), new Set());
  await walk.begin();
  await openDevice(walk);
  await piling[name]?.make(walk);
  return { version: programVersion, seed: name, ops: walk.ops };
}

const recordsOf = async (program: Program): Promise<Records> =>
  (await runProgram(new SimBackend(soundParts), program)).records;

async function kindOf(program: Program, records: Records): Promise<string> {
  return (await verdictOf(program, { records }, simulatedDut)).kind;
}

/** A list with an item and the next one the other way round. */
function turned<T>(items: readonly T[], first: number): T[] {
  return [...items.slice(0, first), ...items.slice(first, first + 2).reverse(), ...items.slice(first + 2)];
}

/** The records with the outputs of some changed. */
function withOutputs(records: Records, changed: ReadonlyMap<number, TraceStruct>): Records {
  return records.map((record, at) => record && { ...record, outputs: changed.get(at) ?? record.outputs });
}

describe('what comes about while nothing is waited for', () => {
  it('may be given by a poll in any order, and what was waited for between comes in this one', async () => {
    const program = await programOf('poll-at-once', 1);
    const records = await recordsOf(program);
    const at = records.findIndex((record) => record?.verb === 'ibv_poll_cq' && Number(record.returned) >= 3);
    const wcs = structsOf(records[at]?.outputs ?? {}, 'wc');
    const polled = (wc: readonly TraceStruct[]): Promise<string> =>
      kindOf(program, withOutputs(records, new Map([[at, { ...records[at]?.outputs, wc: [...wc] }]])));
    assert.equal(await polled(wcs), 'explained');
    assert.equal(await polled(turned(wcs, 0)), 'explained', 'a send and its receive');
    assert.equal(await polled(turned(wcs, 1)), 'violation', 'a receive and a later send');
  });

  it('may tell of itself by events in any order, and what was waited for between does so in this one', async () => {
    const program = await programOf('pile-up-events', 2);
    const records = await recordsOf(program);
    const gets = records.flatMap((record, at) =>
      record?.verb === 'ibv_get_cq_event' && record.returned === 0 ? [at] : [],
    );
    const taken = gets.map((at) => records[at]?.outputs ?? {});
    const told = (events: readonly TraceStruct[]): Promise<string> =>
      kindOf(program, withOutputs(records, new Map(gets.map((at, index) => [at, events[index] ?? {}]))));
    assert.ok(taken.length >= 4, `${taken.length} events`);
    assert.equal(await told(taken), 'explained');
    assert.equal(await told(turned(taken, 0)), 'explained', 'of a send and its receive');
    assert.equal(await told(turned(taken, 1)), 'violation', 'of a receive and a later send');
  });

  it('may tell of itself by asynchronous events in any order, and what was waited for between in this one', async () => {
    const program = await programOf('pile-up-async', 1);
    const records = await recordsOf(program);
    const [first = 0, second = 0] = records.flatMap((record, at) =>
      record?.outputs.eventType === 'IBV_EVENT_SQ_DRAINED' ? [at] : [],
    );
    assert.ok(second > first, 'two events');
    const [one = {}, other = {}] = [records[first]?.outputs, records[second]?.outputs];
    const exchanged = new Map([
      [first, { ...one, element: other.element ?? null }],
      [second, { ...other, element: one.element ?? null }],
    ]);
    assert.equal(await kindOf(program, records), 'explained');
    assert.equal(await kindOf(program, withOutputs(records, exchanged)), 'violation');
  });
});
