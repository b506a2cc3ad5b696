import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  readonly after?: readonly string[];
}

interface Result {
  readonly name: string;
  readonly passed: boolean;
}

type RunGraph = (
  steps: readonly Step[],
  options: { cwd: string; atOnce: number; say: (text: string) => void },
) => Promise<{ results: readonly Result[]; signal?: string }>;

// eslint-disable-next-line @typescript-eslint/no-require-imports -- plain JavaScript, which runs before there are packages
const { runGraph } = require('./step-graph') as { runGraph: RunGraph };

const node = (script: string): readonly string[] => [process.execPath, '-e', script];

async function ran(steps: readonly Step[], atOnce = 2): Promise<{ results: readonly Result[]; said: string }> {
  let said = '';
  const { results } = await runGraph(steps, { cwd: __dirname, atOnce, say: (text) => (said += `${text}\n`) });
  return { results, said };
}

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

  it('are refused if they wait for each other', async () => {
    const circle = [
      { name: 'egg', command: node(''), after: ['hen'] },
      { name: 'hen', command: node(''), after: ['egg'] },
    ];
    await assert.rejects(ran(circle), /no step can start: egg, hen/);
  });
});
