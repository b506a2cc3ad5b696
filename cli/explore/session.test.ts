import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DutLost } from '../../drivers/contract';
import { Explorer, NotExecuted, type Execute } from '../../drivers/explore/explorer';
import { callsOf, type Program } from '../../drivers/programs/program';
import { runProgram } from '../../drivers/programs/run-program';
import { SimBackend } from '../../drivers/sim/backend';
import { soundParts } from '../../drivers/sim/device/device';
import { partsFor } from '../../drivers/sim/faults';
import { readFinding } from './emit/stored-finding';
import { Session } from './session';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));

after(() => {
  rmSync(folder, { recursive: true });
});

/** The calls of the first finding, and the lines about it. */
async function firstFinding(
  shrinkMs: number,
  progressMs = Infinity,
): Promise<{ readonly calls: number; readonly told: string }> {
  const told: string[] = [];
  const say = (line: string): number => told.push(line);
  const explorer = new Explorer(new SimBackend(partsFor('byte-len-with-immediate')));
  const session = new Session(explorer, { driver: 'sim', seed: 2, folder, shrinkMs, progressMs, say });
  const around = { excused: new Set<string>(), avoided: new Set<string>() };
  await session.explore([], around, { programs: 6, seconds: Infinity });
  const [finding] = session.findings;
  return { calls: callsOf(finding?.program ?? assert.fail()).length, told: told.join('\n') };
}

test('a finding is made smaller until its time is up, and says so', async () => {
  const [whole, none] = [await firstFinding(Infinity), await firstFinding(0)];
  assert.ok(whole.calls < none.calls);
  assert.match(none.told, /made smaller to \d+, for which the 0 s were up; --minimise goes on/);
  assert.doesNotMatch(whole.told, /were up/);
});

test('while a finding is looked into, it is said how far that is', async () => {
  const [often, never] = [await firstFinding(Infinity, 0), await firstFinding(Infinity)];
  assert.match(often.told, /^looking into inclusion \S+ \S+: run 1, of \d+ calls$/m);
  assert.doesNotMatch(never.told, /looking into/);
});

/** A session on a device that is wrong in one run of `every`, and in no other. */
async function unsteady(every: number, programs = 1): Promise<{ readonly session: Session; readonly told: string }> {
  let runs = 0;
  const [sound, wrong] = [new SimBackend(soundParts), new SimBackend(partsFor('byte-len-with-immediate'))];
  const execute: Execute = async (program) => (await runProgram(runs++ % every === 0 ? wrong : sound, program)).records;
  const explorer = new Explorer(sound, { execute, oracles: ['inclusion'] });
  const { session, told } = unsteadySession(explorer);
  const program = await programThatShows();
  for (let index = 0; index < programs; index++) await session.one(program, true);
  return { session, told: told.join('\n') };
}

/** A session that says nothing of its progress, so that what it says does not depend on the time it takes. */
function unsteadySession(explorer: Explorer): { readonly session: Session; readonly told: readonly string[] } {
  const told: string[] = [];
  const say = (line: string): number => told.push(line);
  const options = { driver: 'hca', seed: 1, folder, say, isUnsteady: true, progressMs: Infinity };
  return { session: new Session(explorer, options), told };
}

async function programThatShows(): Promise<Program> {
  const explorer = new Explorer(new SimBackend(partsFor('byte-len-with-immediate')));
  const session = new Session(explorer, { driver: 'sim', seed: 2, folder, say: () => undefined });
  const around = { excused: new Set<string>(), avoided: new Set<string>() };
  await session.explore([], around, { programs: 6, seconds: Infinity });
  return session.findings[0]?.program ?? assert.fail();
}

test('what a device does in some runs only is found, made smaller, and told with how often it was seen', async () => {
  const { session, told } = await unsteady(3);
  assert.equal(session.findings.length, 1);
  assert.match(told, /; seen in [34] of 10 runs$/);
  const stored = readFinding(join(folder, 'finding-1.json'));
  assert.equal(stored.trials?.runs, 10);
});

test('what a device does once and not again is kept, and is no finding', async () => {
  const { session, told } = await unsteady(1000);
  assert.deepEqual([session.findings.length, session.unrepeated], [0, 1]);
  assert.match(told, /^seen once, and not again in 20 runs: .*, kept in once-1\.json$/);
  assert.deepEqual(readFinding(join(folder, 'once-1.json')).trials, { runs: 21, failed: 1 });
});

test('what a device does once on one program and once on another is a finding', async () => {
  const { session } = await unsteady(21, 2);
  assert.deepEqual([session.findings.length, session.unrepeated], [1, 1]);
});

test('a smaller program that shows nothing when it is counted gives way to the one that was seen to', async () => {
  const [sound, wrong] = [new SimBackend(soundParts), new SimBackend(partsFor('byte-len-with-immediate'))];
  const program = await programThatShows();
  const seen = new Map<string, number>();
  const execute: Execute = async (one) => {
    const text = JSON.stringify(one.ops);
    const runs = (seen.get(text) ?? 0) + 1;
    seen.set(text, runs);
    const isWrong = runs <= (text === JSON.stringify(whole.ops) ? 2 : 1);
    return (await runProgram(isWrong ? wrong : sound, one)).records;
  };
  const device = { of: 'dut', member: 'name' };
  const whole: Program = {
    ...program,
    ops: [...program.ops, { call: 'ibv_open_device', args: { device }, as: 'idle' }],
  };
  const { session, told } = unsteadySession(new Explorer(sound, { execute, oracles: ['inclusion'] }));
  await session.one(whole, true);
  assert.deepEqual(session.findings[0]?.program, whole);
  assert.match(told.join('\n'), /; seen in 2 of 21 runs$/);
});

test('a finding is there before it is known how often it shows', async () => {
  const sound = new SimBackend(soundParts);
  const run = await runProgram(new SimBackend(partsFor('byte-len-with-immediate')), await programThatShows());
  let runs = 0;
  const execute: Execute = () =>
    runs++ === 0 ? Promise.resolve(run.records) : Promise.reject(new DutLost('the device is gone'));
  const explorer = new Explorer(sound, { execute, oracles: ['inclusion'] });
  const options = { driver: 'hca', seed: 1, folder: join(folder, 'lost'), say: () => undefined, isUnsteady: true };
  mkdirSync(options.folder);
  await assert.rejects(new Session(explorer, options).one(await programThatShows(), true), DutLost);
  assert.equal(readFinding(join(options.folder, 'finding-1.json')).oracle, 'inclusion');
});

test('what is inconclusive is kept, and can be read again', async () => {
  const place = join(folder, 'inconclusive');
  mkdirSync(place);
  const execute: Execute = () => Promise.reject(new NotExecuted('a batch is open'));
  const explorer = new Explorer(new SimBackend(soundParts), { execute });
  const session = new Session(explorer, { driver: 'hca', seed: 1, folder: place, say: () => undefined });
  const program = await programThatShows();
  await session.one(program, false);
  assert.deepEqual([session.inconclusive, session.findings.length], [1, 0]);
  assert.deepEqual(readFinding(join(place, 'inconclusive-1.json')).program, program);
});

test('a finding of a session that is stopped does not say how often it shows', async () => {
  const place = join(folder, 'stopped');
  mkdirSync(place);
  const wrong = new SimBackend(partsFor('byte-len-with-immediate'));
  const told: string[] = [];
  const options = { driver: 'hca', seed: 1, folder: place, say: (line: string) => told.push(line), isUnsteady: true };
  const execute: Execute = async (program) => {
    session.stop();
    return (await runProgram(wrong, program)).records;
  };
  const session: Session = new Session(new Explorer(wrong, { execute, oracles: ['inclusion'] }), options);
  await session.one(await programThatShows(), true);
  assert.deepEqual([session.findings.length, session.unrepeated], [1, 0]);
  assert.doesNotMatch(told.join('\n'), /seen in|seen once/);
  assert.equal(readFinding(join(place, 'finding-1.json')).trials, undefined);
});
