import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { scenariosOf } from '../../reports/judge/verdicts';
import { Command, verdictsIn, withoutJava, type CommandResult } from '../fixtures/command';
import { inProcess } from '../fixtures/in-process';

const faithlessDriver = join(__dirname, '..', 'fixtures', 'faithless-driver.ts');
const rules = ['ibv_resize_cq.returns-zero', 'ibv_req_notify_cq.one-shot'];

/** What ends a process, or is noticed when nothing is left that it waits for; the rest is tried in that of the tests. */
const endsProcess = /never|exit|late|reject/;

/** What keeps a driver from being made, with the exit code and what is said. */
const beforeTheRun: readonly (readonly [string, number, RegExp])[] = [
  ['never createDriver', 3, /^verbspec: createDriver\(\) of \S+ never answers$/m],
  [
    'exit load',
    3,
    /^verbspec: driver \S+ cannot be loaded: process\.exit\(0\) was called at \S+faithless-driver\.ts:\d+/m,
  ],
  ['exit createDriver', 3, /^verbspec: process\.exit\(0\) was called at \S+faithless-driver\.ts:\d+:\d+$/m],
  ['late-exit createDriver', 3, /^verbspec: process\.exit\(1\) was called at \S+faithless-driver\.ts:\d+:\d+$/m],
  [
    'throw createDriver',
    3,
    /^verbspec: createDriver\(\) of \S+ failed: a mistake of two lines; fix \S+, or use anoth/m,
  ],
  [
    'late-throw createDriver',
    3,
    /^verbspec: nobody handles this error: a late mistake of two lines; VERBSPEC_DEBUG=1 shows where$/m,
  ],
  ['reject createDriver', 3, /^verbspec: nobody handles this error: a lone mistake; VERBSPEC_DEBUG=1 shows where$/m],
  ['nothing createDriver', 2, /^verbspec: createDriver\(\) of \S+ returns no driver$/m],
  ['half createDriver', 2, /^verbspec: the driver of \S+ lacks trace\(\) and \d+ more members of a driver; /m],
];

/** What costs a scenario, with the exit code and the verdict. */
const inScenarios: readonly (readonly [string, number, string])[] = [
  ['never resizeCq', 1, 'hang'],
  ['never settle', 3, 'broken'],
  ['never begin', 3, 'broken'],
  ['never end', 3, 'broken'],
  ['exit resizeCq', 3, 'broken'],
  ['late-exit resizeCq', 3, 'broken'],
  ['throw resizeCq', 3, 'broken'],
  ['late-throw resizeCq', 3, 'broken'],
  ['reject resizeCq', 3, 'broken'],
];

describe('a run whose driver does what no driver may', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  async function run(misdeed: string): Promise<CommandResult> {
    const args = ['run', ...rules, '--driver', faithlessDriver, '--out', join(folder, misdeed)];
    const env = { ...withoutJava, VERBSPEC_MISDEED: misdeed };
    const result = await (endsProcess.test(misdeed) ? Command.finished(args, env) : inProcess(args, env));
    assert.doesNotMatch(result.stderr, /\n {4}at /, 'a stack trace');
    return result;
  }

  for (const [misdeed, code, said] of beforeTheRun) {
    it(`${misdeed}: exit code ${code}, one line, and nothing is left`, async () => {
      const { stderr, code: found } = await run(misdeed);
      assert.equal(found, code, stderr);
      assert.match(stderr, said);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.includes(misdeed)),
        [],
      );
    });
  }

  for (const [misdeed, code, verdict] of inScenarios) {
    it(`${misdeed}: exit code ${code}, and the results say ${verdict}`, async () => {
      const { stderr, stdout, code: found } = await run(misdeed);
      assert.equal(found, code, stderr + stdout);
      const verdicts = scenariosOf(verdictsIn(join(folder, misdeed))).map((scenario) => scenario.verdict);
      assert.ok(verdicts.length >= 3 && verdicts.includes(verdict as 'hang'), verdicts.join());
    });
  }

  for (const misdeed of ['never', 'exit', 'late-exit', 'throw', 'late-throw', 'reject']) {
    it(`${misdeed} close: exit code 3, and what ran is in the results`, async () => {
      const { stderr, stdout, code } = await run(`${misdeed} close`);
      assert.equal(code, 3, stderr + stdout);
      assert.match(
        stderr + stdout,
        /mistake|process\.exit\([01]\) was called|close\(\) of the driver\s+\S+\s+never\s+answers/,
      );
      const verdicts = scenariosOf(verdictsIn(join(folder, `${misdeed} close`))).map(({ verdict }) => verdict);
      assert.deepEqual(new Set(verdicts), new Set(['pass']));
    });
  }

  it('leaves no partial results behind', () => {
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('.')),
      [],
    );
  });
});

describe('output that cannot be written', () => {
  let folder: string;
  let earlier: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));
    earlier = join(folder, 'earlier');
    assert.equal((await inProcess(['run', ...rules, '--out', earlier])).code, 0);
    const update = ['gate', '--baseline', join(folder, 'base.json'), '--update', earlier];
    assert.equal((await inProcess(update)).code, 0);
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  function redirected(args: readonly string[], redirections: string): Promise<CommandResult> {
    return Command.finished(args, withoutJava, undefined, undefined, redirections);
  }

  /** Commands that succeed. */
  function commands(): readonly (readonly string[])[] {
    return [
      ['--version'],
      ['--help'],
      ['rules'],
      ['compare', earlier],
      ['gate', '--baseline', join(folder, 'base.json'), earlier],
      ['doctor', 'sim'],
      ['run', ...rules, '--out', join(folder, 'kept'), '--', '--format', 'progress'],
    ];
  }

  it('to standard output is reported in a line, and is exit code 3', async () => {
    for (const args of commands()) {
      const { code, stderr } = await redirected(args, '> /dev/full');
      assert.equal(code, 3, args.join(' '));
      assert.match(
        stderr,
        /^verbspec: cannot write to standard output: ENOSPC: .*; free space, or send it elsewhere$/m,
      );
      assert.doesNotMatch(stderr, /\n {4}at /, 'a stack trace');
    }
    const kept = scenariosOf(verdictsIn(join(folder, 'kept'))).map(({ verdict }) => verdict);
    assert.deepEqual(new Set(kept), new Set(['pass']));
  });

  it('to standard error alone changes nothing, nor does an output that is closed', async () => {
    const [version = []] = commands();
    for (const redirections of ['2> /dev/full', '2>&-', '>&-']) {
      for (const args of [version, ['run', ...rules, '--out', join(folder, 'run')]]) {
        assert.equal((await redirected(args, redirections)).code, 0, `${args.join(' ')} ${redirections}`);
      }
    }
    assert.equal((await redirected(['run', '--bogus'], '2> /dev/full')).code, 2);
    assert.equal((await redirected(['rules'], '> /dev/full 2>&1')).code, 3);
  });

  it('because its reader is gone changes nothing', async () => {
    const command = ['rules', '--json'];
    const { code, stderr } = await redirected(command, '| head -c 1; exit ${PIPESTATUS:-0}');
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
  });
});
