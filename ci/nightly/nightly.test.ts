import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { until } from '../../cli/fixtures/command';
import { root } from '../../cli/common/project';

interface Job {
  readonly name: string;
  readonly what: string;
  readonly command: readonly string[];
  readonly vm?: boolean;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- plain JavaScript, which runs before there are packages
const { jobs } = require('./jobs') as { readonly jobs: readonly Job[] };

describe('the nightly jobs', () => {
  it('run files that exist', () => {
    for (const { command } of jobs) {
      const file = command.find((word) => /^(ci|cli)\//.test(word));
      assert.ok(file !== undefined && existsSync(join(root, file)), command.join(' '));
    }
  });

  it('are all that npm run has beside the gate and the benchmarks', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const commands = jobs.map(({ command }) => command.join(' '));
    for (const name of ['prove:soft-roce', 'mutate', 'attack', 'soak', 'coverage']) {
      const file = scripts[name]?.split(' ').at(-1) ?? '';
      assert.ok(
        commands.some((command) => command.includes(file)),
        `${name} is in no job`,
      );
    }
  });
});

describe('npm run nightly', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-nightly-'));
  const node = (text: string): string => JSON.stringify([process.execPath, '-e', text]);

  before(() => {
    const files = ['nightly/nightly.js', 'step-graph.js', 'require-node.js', 'unit/what-failed.js', 'unit/not-run.js'];
    for (const file of files) cpSync(join(root, 'ci', file), join(folder, 'ci', file));
    mkdirSync(join(folder, 'ci'), { recursive: true });
    writeFileSync(join(folder, 'ci', 'setup.js'), 'if (process.env.NO_SETUP) process.exit(3);');
    const text = `exports.jobs = [
      { name: 'one', what: 'it passes', command: ${node('')} },
      { name: 'two', what: 'it fails', command: ${node('process.exit(1)')} },
      { name: 'three', what: 'it is of the VM', command: ${node('')}, vm: true },
      { name: 'four', what: 'it lacks Java', command: ${node('console.log("not run  a.test.ts: no Java")')} },
      { name: 'five', what: 'it takes long', command: ${node('require("fs").writeFileSync("pid", String(process.pid)); setInterval(() => 0, 999)')} },
    ];`;
    writeFileSync(join(folder, 'ci', 'nightly', 'jobs.js'), text);
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  function nightly(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): { status: number | null; stdout: string; stderr: string } {
    const own = { VERBSPEC_ALLOW_SKIPS: undefined, VERBSPEC_SKIP_VM: undefined, ...env };
    const script = join(folder, 'ci', 'nightly', 'nightly.js');
    return spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env: { ...process.env, ...own } });
  }

  it('ends with a table, and fails if one does', () => {
    const { status, stdout } = nightly(['--only', 'one,two']);
    assert.equal(status, 1);
    assert.match(stdout, /^name +outcome +seconds\none +passed +\d+\ntwo +FAILED +\d+$/m);
    assert.equal(nightly(['--only', 'one']).status, 0);
  });

  it('names what did not run, and fails unless that is allowed', () => {
    const { status, stdout } = nightly(['--only', 'four']);
    assert.equal(status, 1);
    assert.match(stdout, /^not run {2}a\.test\.ts: no Java$/m);
    const withoutVm = nightly(['--only', 'one,three'], { VERBSPEC_SKIP_VM: '1' });
    assert.equal(withoutVm.status, 0);
    assert.match(withoutVm.stdout, /^three +not run/m);
    assert.match(withoutVm.stdout, /^not run, as allowed {2}three: VERBSPEC_SKIP_VM is set$/m);
  });

  it('lists its jobs, and refuses what it has not', () => {
    const { status, stdout } = nightly(['--list', '--only', 'one']);
    assert.deepEqual([status, stdout.startsWith('one             it passes: node -e')], [0, true]);
    for (const args of [['--only', 'six'], ['--all'], ['one']]) {
      const { status: refused, stderr } = nightly(args);
      assert.equal(refused, 2);
      assert.match(stderr, /^nightly: .*\n$/);
    }
    assert.match(nightly(['--only', 'six']).stderr, /there is no "six"; there are one, two, three, four, five$/m);
  });

  it('is not begun where the set-up is broken', () => {
    const { status, stdout } = nightly(['--only', 'one'], { NO_SETUP: '1' });
    assert.deepEqual([status, stdout], [3, '']);
  });

  it('ends in order when a signal comes: the table has what ran, and nothing is left', async () => {
    const child = spawn(process.execPath, [join(folder, 'ci', 'nightly', 'nightly.js'), '--only', 'one,five']);
    const pid = join(folder, 'pid');
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = new Promise((resolve) => child.once('close', resolve));
    await until('the last job is under way', () => existsSync(pid) && readFileSync(pid, 'utf8') !== '');
    child.kill('SIGINT');
    assert.equal(await ended, 130);
    assert.match(said, /^one +passed +\d+\nfive +FAILED +\d+$/m);
    assert.ok(!existsSync(`/proc/${readFileSync(pid, 'utf8')}`), 'the job is still there');
  });
});
