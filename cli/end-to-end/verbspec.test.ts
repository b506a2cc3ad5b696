import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { scenariosOf } from '../../reports/judge/verdicts';
import { Command, filesWithoutHtml, verdictsIn, withoutJava } from '../fixtures/command';
import { inProcess } from '../fixtures/in-process';

const fatalDriver = join(__dirname, '..', 'fixtures', 'fatal-driver.ts');

describe('verbspec', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('refuses wrong usage with one line that names it, and exit code 2', async () => {
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [['run', '--driver', 'nope'], /unknown driver "nope"/],
      [['run', 'ibv_poll_cq.nope'], /"ibv_poll_cq\.nope"/],
      [['run', '--driver', 'sim', '-d', 'mlx5_0'], /"mlx5_0"/],
      [['run', '--driver', 'hca'], /needs a device/],
      [['run', '--mtu', '1000'], /'1000'/],
      [['run', '--out', '/etc'], /\/etc/],
      [['run', '--bogus'], /--bogus/],
      [['run', '--', '--bogus'], /options after --/],
      [['rules', 'nope'], /"nope"/],
      [['rules', '--check', 'nope'], /"nope"/],
      [['rules', '--check', '--json'], /--check.*--json/],
      [['doctor', 'nope'], /"nope"/],
    ];
    const results = await Promise.all(wrong.map(([args]) => inProcess(args)));
    for (const [index, { code, stderr }] of results.entries()) {
      assert.equal(code, 2, stderr);
      assert.match(stderr, wrong[index]?.[1] ?? /^$/);
      assert.doesNotMatch(stderr, /\n {4}at /, 'a stack trace');
    }
  });

  it('says 3 when no scenario ran', async () => {
    const args = ['run', '--out', join(folder, 'none'), '--', '--tags', '@none'];
    const { code, stderr } = await inProcess(args);
    assert.equal(code, 3, stderr);
    assert.match(stderr, /no scenario ran/);
  });

  it('says 1 when a rule is violated, and keeps the results', async () => {
    const out = join(folder, 'violated');
    const args = ['run', 'ibv_poll_cq.overrun-async-event', '--fault', 'overrun-is-silent', '--out', out];
    const { code, stdout, stderr } = await inProcess(args);
    assert.equal(code, 1, stderr);
    assert.match(stdout, /violates/);
    const { rules } = verdictsIn(out);
    assert.equal(rules.find(({ id }) => id === 'ibv_poll_cq.overrun-async-event')?.verdict, 'violates');
  });

  it('is complete without Java except for the HTML, and its last line says how to get it', async () => {
    const out = join(folder, 'no-java');
    const remedies: readonly (readonly [NodeJS.ProcessEnv, RegExp])[] = [
      [withoutJava, /JAVA_HOME is \/nonexistent, without bin\/java: unset JAVA_HOME && \S+allure generate/],
      [{ JAVA_HOME: '', PATH: '/nonexistent' }, /no Java: .*default-jre-headless.*allure generate/],
    ];
    for (const [env, remedy] of remedies) {
      const { code, stdout } = await inProcess(['run', 'ibv_poll_cq.overrun-async-event', '--out', out], env);
      assert.equal(code, 0);
      assert.match(stdout.trim().split('\n').at(-1) ?? '', remedy);
    }
    assert.deepEqual(readdirSync(out).sort(), filesWithoutHtml);
    assert.equal(readdirSync(join(out, 'trace')).length, scenariosOf(verdictsIn(out)).length);
  });

  const rulesAroundTheLoss = [
    'ibv_get_cq_event.get-returns-zero',
    'ibv_poll_cq.overrun-async-event',
    'ibv_poll_cq.overrun-cq-unusable',
    'ibv_req_notify_cq.one-shot',
  ];

  for (const [fate, detail] of [
    ['crash', /SIGSEGV/],
    ['hang', /ibv_get_async_event.*in the host: main thread: state R/],
  ] as const) {
    it(`reports a ${fate} of the host process, which costs its scenarios and no other`, async () => {
      const out = join(folder, fate);
      const env = { ...withoutJava, VERBSPEC_FATE: `${fate} ibv_get_async_event` };
      const command = new Command(['run', ...rulesAroundTheLoss, '--driver', fatalDriver, '--out', out], env);
      const { code, stderr } = await command.finish();
      assert.equal(code, 1, stderr);
      const scenarios = scenariosOf(verdictsIn(out));
      const lost = scenarios.filter(({ verdict }) => verdict === fate);
      assert.equal(lost.length, 2);
      for (const scenario of lost) assert.match(scenario.detail ?? '', detail);
      const others = new Set(scenarios.filter((scenario) => !lost.includes(scenario)).map(({ verdict }) => verdict));
      assert.deepEqual([...others], ['pass']);
      assert.equal(scenarios[0]?.verdict, 'pass');
      assert.equal(scenarios.at(-1)?.verdict, 'pass');
      await command.leavesNoProcess();
    });
  }

  it('leaves no partial results behind', () => {
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('.')),
      [],
    );
  });
});
