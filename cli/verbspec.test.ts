import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseVerdicts, scenariosOf } from '../reports/verdicts';

const program = join(__dirname, 'verbspec.js');
const slowDriver = join(__dirname, 'fixtures', 'slow-driver.ts');
const fatalDriver = join(__dirname, 'fixtures', 'fatal-driver.ts');

/** What a run of the command left to look at. */
interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function finish(child: ChildProcess): Promise<Result> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

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
    const results = await Promise.all(wrong.map(([args]) => finish(start(args))));
    for (const [index, { code, stderr }] of results.entries()) {
      assert.equal(code, 2, stderr);
      assert.match(stderr, wrong[index]?.[1] ?? /^$/);
      assert.doesNotMatch(stderr, /\n {4}at /, 'a stack trace');
    }
  });

  it('says 3 when no scenario ran', async () => {
    const { code, stderr } = await finish(start(['run', '--out', join(folder, 'none'), '--', '--tags', '@none']));
    assert.equal(code, 3, stderr);
    assert.match(stderr, /no scenario ran/);
  });

  it('says 1 when a rule is violated, and keeps the results', async () => {
    const out = join(folder, 'violated');
    const args = ['run', 'ibv_poll_cq.overrun-async-event', '--fault', 'overrun-is-silent', '--out', out];
    const { code, stdout } = await finish(start(args, { JAVA_HOME: '/nonexistent' }));
    assert.equal(code, 1);
    assert.match(stdout, /violates/);
    const { rules } = parseVerdicts(readFileSync(join(out, 'verdicts.json'), 'utf8'));
    assert.equal(rules.find(({ id }) => id === 'ibv_poll_cq.overrun-async-event')?.verdict, 'violates');
  });

  it('is complete without Java but for the HTML, and its last line says how to get it', async () => {
    const out = join(folder, 'no-java');
    const args = ['run', 'ibv_poll_cq.overrun-async-event', '--out', out];
    const { code, stdout } = await finish(start(args, { JAVA_HOME: '/nonexistent' }));
    assert.equal(code, 0);
    assert.match(stdout.trim().split('\n').at(-1) ?? '', /no Java: .*default-jre-headless.*allure generate/);
    assert.deepEqual(readdirSync(out).sort(), ['allure-results', 'messages.ndjson', 'trace', 'verdicts.json']);
    const scenarios = scenariosOf(parseVerdicts(readFileSync(join(out, 'verdicts.json'), 'utf8')));
    assert.equal(readdirSync(join(out, 'trace')).length, scenarios.length);
  });

  const rulesAroundTheLoss = [
    'ibv_get_cq_event.get-returns-zero',
    'ibv_poll_cq.overrun-async-event',
    'ibv_poll_cq.overrun-cq-unusable',
    'ibv_req_notify_cq.one-shot',
  ];

  for (const [fate, detail] of [
    ['crash', /SIGSEGV/],
    ['hang', /ibv_get_async_event/],
  ] as const) {
    it(`tells a ${fate} of the host process, which costs its scenarios and no other`, async () => {
      const out = join(folder, fate);
      const env = { JAVA_HOME: '/nonexistent', VERBSPEC_FATE: `${fate} ibv_get_async_event` };
      const args = ['run', ...rulesAroundTheLoss, '--driver', fatalDriver, '--out', out];
      const { code, stderr } = await finish(start(args, env));
      assert.equal(code, 1, stderr);
      const scenarios = scenariosOf(parseVerdicts(readFileSync(join(out, 'verdicts.json'), 'utf8')));
      const lost = scenarios.filter(({ verdict }) => verdict === fate);
      assert.equal(lost.length, 2);
      for (const scenario of lost) assert.match(scenario.detail ?? '', detail);
      const others = new Set(scenarios.filter((scenario) => !lost.includes(scenario)).map(({ verdict }) => verdict));
      assert.deepEqual([...others], ['pass']);
      assert.equal(scenarios[0]?.verdict, 'pass');
      assert.equal(scenarios.at(-1)?.verdict, 'pass');
    });
  }

  for (const [signal, expected] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`ends in order at ${signal}: what ran is there, the rest is told as broken`, async () => {
      const out = join(folder, signal);
      const child = start(['run', '--driver', slowDriver, '--out', out], { JAVA_HOME: '/nonexistent' });
      const finished = finish(child);
      child.stderr?.on('data', (text: string) => {
        if (text.includes('device sim0')) setTimeout(() => child.kill(signal), 1500);
      });
      assert.equal((await finished).code, expected);
      const scenarios = scenariosOf(parseVerdicts(readFileSync(join(out, 'verdicts.json'), 'utf8')));
      const verdicts = new Set(scenarios.map(({ verdict }) => verdict));
      assert.deepEqual([...verdicts].sort(), ['broken', 'pass']);
      assert.match(scenarios.find(({ verdict }) => verdict === 'broken')?.detail ?? '', new RegExp(signal));
    });
  }

  it('leaves no partial results behind', () => {
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('.')),
      [],
    );
  });
});
