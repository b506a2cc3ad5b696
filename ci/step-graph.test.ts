import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, describe, it } from 'node:test';
import { until } from '../cli/fixtures/command';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  readonly after?: readonly string[];
  readonly makes?: readonly string[];
}

interface Result {
  readonly name: string;
  readonly passed: boolean;
  readonly notRun: readonly string[];
  readonly why: readonly string[];
}

type RunGraph = (
  steps: readonly Step[],
  options: { cwd: string; atOnce: number; say: (text: string) => void; graceMs?: number; beatMs?: number },
) => Promise<{ results: readonly Result[]; signal?: string }>;

// eslint-disable-next-line @typescript-eslint/no-require-imports -- plain JavaScript, which runs before there are packages
const { runGraph } = require('./step-graph') as { runGraph: RunGraph };

const node = (script: string): readonly string[] => [process.execPath, '-e', script];

async function ran(steps: readonly Step[], atOnce = 2): Promise<{ results: readonly Result[]; said: string }> {
  let said = '';
  const { results } = await runGraph(steps, { cwd: __dirname, atOnce, say: (text) => (said += `${text}\n`) });
  return { results, said };
}

const folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));

after(() => {
  rmSync(folder, { recursive: true });
});

describe('the steps of the gate', () => {
  it('start when those are over that they come after, whether or not these pass', async () => {
    const { said, results } = await ran([
      { name: 'last', command: node(''), after: ['first', 'second'] },
      { name: 'first', command: node('process.exit(1)') },
      { name: 'second', command: node('') },
    ]);
    const started = said.split('\n').filter((line) => line.startsWith('started'));
    assert.deepEqual(started, ['started  first', 'started  second', 'started  last']);
    assert.deepEqual(results.map(({ name, passed }) => [name, passed]).sort(), [
      ['first', false],
      ['last', true],
      ['second', true],
    ]);
  });

  it('run no more at a time than are asked for', async () => {
    const steps = ['one', 'two', 'three'].map((name) => ({ name, command: node('') }));
    const { said } = await ran(steps, 1);
    assert.deepEqual(
      said
        .split('\n')
        .filter((line) => /^(started|passed)/.test(line))
        .map((line) => line.split(' ', 1)[0]),
      ['started', 'passed', 'started', 'passed', 'started', 'passed'],
    );
  });

  it('show what one has printed as a whole, stdout and stderr in order', async () => {
    const print = 'console.log("a"); console.error("b"); console.log("c")';
    const { said } = await ran([{ name: 'talks', command: node(print) }]);
    assert.match(said, /\n== talks\na\nb\nc\n/);
  });

  it('pass with exit code 0, and fail with any other end', async () => {
    const { results } = await ran([
      { name: 'accepted', command: node('') },
      { name: 'refused', command: node('process.exit(3)') },
      { name: 'killed', command: node('process.kill(process.pid, "SIGKILL")') },
      { name: 'missing', command: ['/nonexistent/program'] },
    ]);
    const passed = results.filter((result) => result.passed).map(({ name }) => name);
    assert.deepEqual(passed, ['accepted']);
    assert.equal(results.length, 4);
  });

  it('tell why they failed, and nothing where they passed', async () => {
    const { results } = await ran([
      { name: 'passes', command: node('console.log("✖ what looks bad")') },
      { name: 'fails', command: node('console.log("fine\\n✖ late\\nfine"); process.exit(3)') },
    ]);
    const why = new Map(results.map((result) => [result.name, result.why]));
    assert.deepEqual(why.get('passes'), []);
    assert.deepEqual(why.get('fails'), ['ended with 3', '✖ late']);
  });

  it('are refused if they wait for each other', async () => {
    const circle = [
      { name: 'egg', command: node(''), after: ['hen'] },
      { name: 'hen', command: node(''), after: ['egg'] },
    ];
    await assert.rejects(ran(circle), /no step can start: egg, hen/);
  });

  it('have failed if they end without the results that they make, and those of an earlier run are gone', async () => {
    const made = join(folder, 'verdicts.json');
    const steps = (script: string): Step[] => [
      { name: 'makes', command: node(script), makes: [relative(__dirname, made)] },
      { name: 'judges', command: node(`process.exit(require('fs').existsSync('${made}') ? 0 : 1)`), after: ['makes'] },
    ];
    writeFileSync(made, 'of an earlier run');
    const { results: without, said } = await ran(steps(''));
    assert.deepEqual(
      without.map(({ passed }) => passed),
      [false, false],
    );
    assert.match(said, /FAILED in \d+ s: it has not made \S+verdicts\.json/);
    const { results } = await ran(steps(`require('fs').writeFileSync('${made}', '')`));
    assert.ok(results.every(({ passed }) => passed));
    assert.ok(existsSync(made));
  });

  it('name what they left out', async () => {
    const { results } = await ran([{ name: 'lacks', command: node('console.log("not run  a.test.ts: no disk")') }]);
    assert.deepEqual(results[0]?.notRun, ['not run  a.test.ts: no disk']);
  });

  for (const [what, onSignal, shell] of [
    ['that ends', 'process.exit(1)', ''],
    ['that does not', 'undefined', ''],
    ['that ends before what it has started', 'process.exit(1)', 'trap "" TERM;'],
  ] as const) {
    it(`end by a signal with all that they have started, where a step is one ${what}`, async () => {
      const grandchild = join(folder, what);
      const command = `${shell} echo > ${join(folder, 'started')}; sleep 600; true`;
      const script = `
        process.on('SIGTERM', () => ${onSignal});
        const { pid } = require('child_process').spawn('sh', ['-c', '${command}']);
        require('fs').writeFileSync('${grandchild}', String(pid));
        setInterval(() => undefined, 1000);`;
      rmSync(join(folder, 'started'), { force: true });
      const graph = runGraph([{ name: 'sleeps', command: node(script) }], {
        cwd: __dirname,
        atOnce: 1,
        say: () => undefined,
        graceMs: 300,
      });
      await until('the step has started another process', () => existsSync(join(folder, 'started')));
      process.emit('SIGTERM', 'SIGTERM');
      const { signal, results } = await graph;
      assert.equal(signal, 'SIGTERM');
      assert.equal(results[0]?.passed, false);
      await until('nothing is left', () => !isRunning(Number(readFileSync(grandchild, 'utf8'))));
    });
  }

  it('tell of what is under way as often as they are asked to', async () => {
    const said: string[] = [];
    const say = (text: string): number => said.push(text);
    const step = { name: 'waits', command: node('setTimeout(() => undefined, 500)') };
    await runGraph([step], { cwd: __dirname, atOnce: 1, say, beatMs: 20 });
    assert.ok(said.some((line) => line.startsWith('running  waits')));
  });
});

/** A zombie has ended, too. */
function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}/stat`) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
}
