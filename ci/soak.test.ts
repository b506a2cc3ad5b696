import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Command, until, withoutJava } from '../cli/fixtures/command';

const program = ['--require', join(__dirname, 'typescript.js'), join(__dirname, 'soak.ts')];
const driver = join(__dirname, 'soak', 'fixtures', 'flaky-driver.ts');
/** Milliseconds that a soak of some runs may take on a machine that has much else to do. */
const soakMaxMs = 1_800_000;

const overrun = 'ibv_poll_cq.overrun-async-event';

/** What the tests look at in soak.json. */
interface Recorded {
  readonly seed: string;
  readonly exitCode: number;
  readonly plans: readonly {
    readonly name: string;
    readonly runs: readonly { readonly order: string; readonly exitCode: number }[];
    readonly differences: readonly {
      readonly name: string;
      readonly parties: readonly { readonly verdict: string; readonly runs: readonly number[] }[];
    }[];
  }[];
}

describe('npm run soak', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  function start(name: string, fates: string, args: readonly string[]): { command: Command; out: string } {
    const out = join(folder, name);
    const env = { ...withoutJava, VERBSPEC_FATES: fates, VERBSPEC_RUNS: `${out}-runs` };
    return { command: new Command(['--out', out, ...args], env, undefined, program), out };
  }

  /** Soaks one rule on a driver with a fate for each run. */
  function soak(name: string, fates: string, ...more: string[]): ReturnType<typeof start> {
    const runs = ['--driver', driver, '--runs', String(fates.split(' ').length), '--load', '0'];
    return start(name, fates, [...runs, '--seed', 'word', ...more, '--', overrun]);
  }

  it('is content with runs that say the same, and keeps the first', async () => {
    const { command, out } = soak('same', 'sound sound');
    const { code, stdout } = await command.finish(soakMaxMs);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^flaky-driver, run 1 of 2: 2 scenarios in \d+ s, random:word-1: 2 pass$/m);
    assert.match(stdout, /^flaky-driver, run 2 of 2: 2 scenarios in \d+ s, random:word-2, same verdicts$/m);
    assert.deepEqual(readdirSync(out).sort(), ['.verbspec', 'flaky-driver', 'soak.json']);
    assert.deepEqual(readdirSync(join(out, 'flaky-driver')), ['run-1']);
    await command.leavesNoProcess();
  });

  it('lists the scenario in which one run differs, and keeps that run', async () => {
    const { command, out } = soak('flaky', 'sound overrun-is-silent sound');
    const { code, stdout } = await command.finish(soakMaxMs);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /^flaky-driver, run 2 of 3: .* 2 DIFFERENT$/m);
    assert.match(stdout, /^flaky-driver: features.*: More CQEs than the CQ holds raise the event$/m);
    assert.match(stdout, /^ {2}pass: 2 of 3 runs\n {2}fail: 1 of 3 runs\n {4}run 2, random:word-2: .*\n {4}Then the/m);
    const [, trace = ''] = /^ {4}run 2, random:word-2: (.*trace.*)$/m.exec(stdout) ?? [];
    assert.ok(existsSync(trace), stdout);
    assert.deepEqual(readdirSync(join(out, 'flaky-driver')), ['run-1', 'run-2']);
    const { plans, exitCode } = recorded(out);
    assert.equal(exitCode, 1);
    const parties = plans[0]?.differences.map((difference) => difference.parties.map(({ runs }) => runs));
    assert.deepEqual(parties, [
      [[1, 3], [2]],
      [[1, 3], [2]],
    ]);
  });

  it('takes a run that comes to no verdicts for a difference, too', async () => {
    const { code, stdout } = await soak('lost', 'sound refuses').command.finish(soakMaxMs);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /run 2 of 2: no verdicts, exit code 3, .*; verbspec: the device is not there; plug it in$/m);
    assert.match(stdout, /^ {2}absent: 1 of 2 runs$/m);
  });

  it('is a broken set-up where the first run comes to no verdicts', async () => {
    const { command, out } = soak('broken', 'refuses sound sound');
    const { code, stdout } = await command.finish(soakMaxMs);
    assert.equal(code, 3, stdout);
    assert.match(stdout, /run 1 of \d+: no verdicts, exit code 3, .*; verbspec: the device is not there; plug it in$/m);
    assert.equal(readFileSync(`${out}-runs`, 'utf8').length, 1);
  });

  it('ends as its runs do where they all find the same fault', async () => {
    const { code, stdout } = await soak('faulty', 'overrun-is-silent overrun-is-silent').command.finish(soakMaxMs);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /run 2 of 2: .* same verdicts$/m);
    assert.match(stdout, /all runs say the same, as far as they came; exit code 1/);
  });

  it('ends in order when a signal comes: what ran until then is reported, load and run are gone', async () => {
    const { command, out } = soak('interrupted', 'sound waits sound', '--load', '2');
    await until('the second run is under way', () => readFileOr(`${out}-runs`, '').length === 2);
    command.signal('SIGINT');
    const { code, stdout } = await command.finish(soakMaxMs);
    assert.equal(code, 130, stdout);
    await command.leavesNoProcess();
    assert.match(stdout, /│ 1 of 3 │/);
    assert.equal(recorded(out).plans[0]?.runs.length, 1);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('.')),
      [],
    );
  });

  it('soaks the simulator with a seed that it prints', async () => {
    const { command, out } = start('sim', '', ['--sim', '1', '--', overrun]);
    const { code, stdout } = await command.finish(soakMaxMs);
    assert.equal(code, 0, stdout);
    const { seed, plans } = recorded(out);
    assert.match(stdout, new RegExp(`^seed ${seed}$`, 'm'));
    assert.deepEqual(
      plans.map(({ name, runs }) => [name, runs.map(({ order }) => order)]),
      [['sim', [`random:${seed}-1`]]],
    );
  });

  it('refuses wrong usage, and a folder that is not its own', async () => {
    writeFileSync(join(folder, 'mine'), '');
    for (const args of [['--sim', 'many'], ['--sim', '0'], ['--seed', 'a b'], ['--bogus'], ['more'], ['--out', folder]])
      assert.equal((await start('refused', '', args).command.finish(soakMaxMs)).code, 2, args.join(' '));
    assert.ok(existsSync(join(folder, 'mine')));
    assert.equal((await start('refused', '', ['--help']).command.finish(soakMaxMs)).code, 0);
  });
});

function recorded(out: string): Recorded {
  return JSON.parse(readFileSync(join(out, 'soak.json'), 'utf8')) as Recorded;
}

function readFileOr(path: string, otherwise: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : otherwise;
}
