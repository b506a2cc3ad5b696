import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';

const root = join(__dirname, '..');

/** A folder for temporary files that everybody may write, as /tmp is, in which another user was first. */
describe('compiled code in the folder for temporary files', () => {
  let folder = '';
  let mark = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-forged-'));
    chmodSync(folder, 0o1777);
    mark = join(folder, 'mark');
    const forge = join(__dirname, 'fixtures', 'forge-code-cache.js');
    execFileSync(process.execPath, [forge, folder, mark, root, join(root, 'cli', 'verbspec.js')]);
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    rmSync(mark, { force: true });
  });

  /** As a user starts it, whose environment has none of what that of this test has. */
  function run(...[program = '', ...args]: string[]): { status: number | null; output: string } {
    const env = { ...process.env, TMPDIR: folder, DISABLE_V8_COMPILE_CACHE: '', NODE_DISABLE_COMPILE_CACHE: '' };
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, env, encoding: 'utf8' });
    return { status, output: stdout + stderr };
  }

  it('runs where ts-node is loaded as its manual says: the forgery is a good one', () => {
    const { status } = run('node', '-r', 'ts-node/register/transpile-only', '-e', '');
    assert.deepEqual({ status, isRun: existsSync(mark) }, { status: 42, isRun: true });
  });

  for (const command of [
    'node cli/verbspec.js --version',
    'node -r ./ci/typescript.js ci/soak.ts --help',
    'sh ci/rdma-core.sh --help',
    'npm run --silent soak -- --help',
  ]) {
    it(`never runs: ${command}`, () => {
      const { status, output } = run(...command.split(' '));
      assert.ok(!existsSync(mark), output);
      assert.ok(status === 0 || status === 2, output);
    });
  }

  it('is not kept by any process that is started either', () => {
    const variables = '[process.env.DISABLE_V8_COMPILE_CACHE, process.env.NODE_DISABLE_COMPILE_CACHE].join()';
    assert.equal(run('node', '-r', './ci/typescript.js', '-p', variables).output.trim(), '1,1');
  });

  it('is kept off by ci/typescript.js, and nothing loads ts-node without it', () => {
    const loading = sources().filter((file) => /ts-node['"/)]/.test(readFileSync(join(root, file), 'utf8')));
    const allowed = [
      'ci/mutation/cucumber.json', // in a sandbox; npm run mutate, which makes it, has set the environment
      'ci/typescript.js',
      'ci/typescript.test.ts',
      'package.json',
      'tsconfig.json',
    ];
    assert.deepEqual(loading.sort(), allowed);
  });
});

/** Everything that may start a process, relative to the project's folder. */
function sources(): string[] {
  const folders = ['bench', 'ci', 'cli', 'drivers', 'catalog', 'reports', 'steps'];
  const below = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return [...below, 'package.json', 'tsconfig.json']
    .filter((file) => !file.startsWith('reports/out/'))
    .filter((file) => statSync(join(root, file)).isFile());
}
