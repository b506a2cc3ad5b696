import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { HarnessError, UsageError } from '../../drivers/contract';
import { compare, type CompareCommand } from './compare';
import { verdictsIn, withoutJava, type CommandResult } from '../fixtures/command';
import { inProcess } from '../fixtures/in-process';
import { gate, type GateCommand } from './gate';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-gate-'));
const baseline = join(folder, 'baseline.json');
const good = join(folder, 'good');
const faulty = join(folder, 'faulty');
const page = 'ibv_modify_cq';
/** Breaks one rule of the page, and no other. */
const fault = 'modify-cq-ignores-mask';
const broken = 'ibv_modify_cq.modifies-by-mask';

const verbspec = (...args: string[]): Promise<CommandResult> =>
  inProcess(args, { ...withoutJava, GITHUB_STEP_SUMMARY: '' });

before(async () => {
  assert.equal((await verbspec('run', page, '--out', good)).code, 0);
  assert.equal((await verbspec('run', page, '--fault', fault, '--out', faulty)).code, 1);
  const made = await verbspec('gate', '--baseline', baseline, '--update', good);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /baseline\.json: new, with \d+ rules, 0 of them exceptions\n/);
});

after(() => {
  rmSync(folder, { recursive: true });
});

describe('verbspec gate', () => {
  it('passes for the run that made the baseline', async () => {
    const { code, stdout } = await verbspec('gate', '--baseline', baseline, good);
    assert.equal(code, 0);
    assert.match(stdout, /^gate passed: /);
  });

  it('turns red for a planted fault, with the rule that it breaks in the first line', async () => {
    const { code, stdout } = await verbspec('gate', '--baseline', baseline, faulty);
    assert.equal(code, 1);
    assert.equal(stdout.split('\n')[0], `regression: ${broken} conforms → violates`);
    assert.match(stdout, /^gate failed: 1 regression, /m);
  });

  it('writes what CI systems read', async () => {
    const files = ['j.xml', 'k.tap', 'm.md', 'summary.md'].map((name) => join(folder, name));
    const [junit = '', ktap = '', markdown = '', summary = ''] = files;
    writeFileSync(summary, 'what the job said before\n');
    const outputs = ['--junit', junit, '--ktap', ktap, '--markdown', markdown, '--github'];
    const env = { ...withoutJava, GITHUB_STEP_SUMMARY: summary };
    const { code, stdout } = await inProcess(['gate', '--baseline', baseline, faulty, ...outputs], env);
    assert.equal(code, 1);
    assert.match(
      stdout,
      new RegExp(`^::error file=features/cq/${page}\\.feature,line=\\d+,title=looks like%3A [^:]*::.*${broken}`, 'm'),
    );
    const [inJunit, inKtap, inMarkdown, inSummary] = files.map((file) => readFileSync(file, 'utf8'));
    assert.match(inJunit ?? '', /<testsuites name="verbspec" tests="\d+" failures="1" errors="0" /);
    assert.match(inJunit ?? '', new RegExp(`<testcase classname="${broken}" [^]*?<failure type="regression"`));
    assert.match(inKtap ?? '', /^KTAP version 1\n1\.\.1\n {2}KTAP version 1\n[^]*^not ok 1 ibv_modify_cq$/m);
    assert.match(inMarkdown ?? '', /^### ❌ verbspec gate failed\n/);
    assert.equal(inSummary, `what the job said before\n${inMarkdown ?? ''}`);
  });

  it('updates the baseline, prints what changes, and passes from then on', async () => {
    const own = join(folder, 'own.json');
    writeFileSync(own, readFileSync(baseline));
    const { code, stdout } = await verbspec('gate', '--baseline', own, '--update', faulty);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`^\\+ ${broken}: violates \\(1 pass; fail: ".*"\\)$`, 'm'));
    assert.equal((await verbspec('gate', '--baseline', own, faulty)).code, 0);
    assert.match((await verbspec('gate', '--baseline', own, good)).stdout, new RegExp(`^improvement: ${broken} `));
  });

  it('rewrites a baseline of version 1, whose conditions stay', async () => {
    const own = join(folder, 'old.json');
    const dut = { provider: 'sim', transport: 'simulated' };
    writeFileSync(
      own,
      JSON.stringify({ schemaVersion: 1, driver: 'sim', dut, recorded: {}, capabilities: [], rules: {} }),
    );
    const refused = await verbspec('gate', '--baseline', own, good);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /^verbspec: .*old\.json is a baseline of schema version 1, .*--update RUN[^\n]*\n$/);
    const { code, stdout } = await verbspec('gate', '--baseline', own, '--update', good);
    assert.equal(code, 0);
    assert.match(stdout, /old\.json: rewritten, with \d+ rules, 0 of them exceptions\n~ schemaVersion: 1 → 2\n/);
    assert.deepEqual((JSON.parse(readFileSync(own, 'utf8')) as { dut: unknown }).dut, dut);
    assert.equal((await verbspec('gate', '--baseline', own, good)).code, 0);
  });

  it('finds what is flaky in runs of a folder', async () => {
    const several = join(folder, 'several');
    const repeated = await verbspec('run', '--repeat', '2', page, '--out', several);
    assert.equal(repeated.code, 0, repeated.stderr);
    assert.deepEqual(readdirSync(several).sort(), ['.verbspec', '1', '2']);
    assert.match((await verbspec('gate', '--baseline', baseline, several)).stdout, / in 2\s+runs\n$/);
    const { code, stdout } = await verbspec('gate', '--baseline', baseline, several, faulty);
    assert.equal(code, 1);
    assert.equal(stdout.split('\n')[0], `flaky rule: ${broken} conforms → violates`);

    assert.equal((await verbspec('run', page, '--out', several)).code, 0);
    assert.ok(
      verdictsIn(several).rules.length > 0 && !existsSync(join(several, '1')),
      'one run takes the place of several',
    );
    assert.equal((await verbspec('run', '--repeat', '1', page, '--out', several)).code, 0);
    assert.deepEqual(readdirSync(several).sort(), ['.verbspec', '1'], 'several runs take the place of one');
  });

  it('fails for rules that did not run, unless a part is meant', async () => {
    const part = join(folder, 'part');
    assert.equal((await verbspec('run', broken, '--out', part)).code, 0);
    const all = await verbspec('gate', '--baseline', baseline, part);
    assert.equal(all.code, 1);
    assert.match(all.stdout, /^rule vanished: ibv_modify_cq besides/m);
    assert.equal((await verbspec('gate', '--baseline', baseline, '--selected', part)).code, 0);
  });
});

describe('gate and compare refuse', () => {
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const altered = (name: string, change: object): string =>
    file(name, JSON.stringify({ ...verdictsIn(good), ...change }));
  const otherVersion = { suite: { version: '9.9.9', commit: 'abc' } };
  const nowhere = join(folder, 'nowhere');
  const compared =
    (run: string, options: Partial<CompareCommand> = {}) =>
    (): number =>
      compare({
        runs: [good, run],
        format: 'terminal',
        all: false,
        anySuite: false,
        out: join(folder, 'out'),
        ...options,
      });
  const gated = (options: Partial<GateCommand>) => (): number => gate({ runs: [good], baseline, ...options });
  const cases: readonly [string, () => () => number, RegExp][] = [
    ['a run that is not there', () => compared(nowhere), /^there is no run .*nowhere/],
    ['a folder without a run', () => compared(mkdtempSync(join(folder, 'empty-'))), /holds no verdicts\.json/],
    ['a run that is not valid JSON', () => compared(file('a.json', '{"schema')), /a\.json is not valid JSON/],
    ['a foreign file', () => compared(file('b.json', '{"name":"x"}')), /b\.json cannot be used: .* its schema/],
    ['runs of two versions', () => compared(altered('v.json', otherVersion)), /versions of verbspec: .*--any-suite/],
    ['a baseline that is not there', () => gated({ baseline: nowhere }), /nowhere cannot be read: ENOENT/],
    ['a damaged baseline', () => gated({ baseline: file('c.json', '{') }), /c\.json is not valid JSON/],
    ['a foreign baseline', () => gated({ baseline: join(good, 'verdicts.json') }), /is not a baseline/],
    ['another device', () => gated({ runs: [altered('d.json', { driver: 'hca' })] }), /driver hca \(sim in the/],
    ['to update with a part', () => gated({ update: true, selected: true }), /writes a whole baseline/],
  ];
  for (const [what, command, told] of cases) {
    it(what, () => {
      assert.throws(command(), (error) => error instanceof UsageError && told.test(error.message));
    });
  }

  const setUp: readonly [string, () => () => number, RegExp][] = [
    ['an output that cannot be written', () => compared(faulty, { out: join(nowhere, 'x') }), /^cannot write .*ENOENT/],
    [
      'to update with nothing',
      () => gated({ baseline: nowhere, update: true, runs: [altered('e.json', { rules: [] })] }),
      /no scenario was executed/,
    ],
    [
      'to update with a lost device',
      () => gated({ baseline: nowhere, update: true, runs: [altered('f.json', { dutLost: 'x' })] }),
      /something is broken makes no baseline/,
    ],
  ];
  for (const [what, command, told] of setUp) {
    it(`${what}, which is not wrong usage`, () => {
      assert.throws(
        command(),
        (error) => error instanceof HarnessError && !(error instanceof UsageError) && told.test(error.message),
      );
      assert.ok(!existsSync(nowhere));
    });
  }

  it('wrong options with exit code 2 and a line', async () => {
    for (const args of [
      ['gate', good],
      ['compare', good, '--format', 'pdf'],
      ['compare', good, join(good, 'verdicts.json')],
      ['gate', good, join(good, '.'), '--baseline', baseline],
      ['run', '--repeat', '0'],
      ['gate', '--baseline', baseline, nowhere],
    ]) {
      const { code, stderr } = await verbspec(...args);
      assert.equal(code, 2, stderr);
      assert.doesNotMatch(stderr, /^\s+at /m);
    }
  });
});
