/**
 * Shows the script for `git bisect run` at its work in a VM: of five commits the fourth patches rdma_rxe so that a
 * request for an event is never spent, and git finds it.
 */
import assert from 'node:assert/strict';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveKernel } from '../../drivers/vm/kernels/kernel';

const kernel = '6.1';
const rule = 'ibv_req_notify_cq.one-shot';
const script = join(__dirname, '..', 'templates', 'bisect.sh');
const folder = mkdtempSync(join(tmpdir(), 'verbspec-bisect-'));
const modules = join(folder, 'modules');
const tree = join(folder, 'tree');

/** What each commit holds, from the oldest on: the name of a module. */
const commits = ['stock', 'stock', 'stock', 'patched', 'patched'] as const;

async function main(): Promise<void> {
  await makeModules();
  const ids = makeTree();
  git('bisect', 'start', ids[4] ?? '', ids[0] ?? '');
  const env = { VERBSPEC_BUILD: `cp "${modules}/$(cat which).ko" rdma_rxe.ko`, VERBSPEC_MODULE: 'rdma_rxe.ko' };
  const { status, stdout, stderr } = run('git', ['bisect', 'run', script, kernel, rule], env);
  assert.equal(status, 0, `${stdout}${stderr}`);
  assert.match(stdout, new RegExp(`^${ids[3] ?? ''} is the first bad commit$`, 'm'), `${stdout}${stderr}`);
  process.stdout.write('git bisect has found the commit that broke the rule\n');
}

async function makeModules(): Promise<void> {
  mkdirSync(modules);
  const { modulesDir } = await resolveKernel(kernel, (line) => void process.stderr.write(`${line}\n`));
  copyFileSync(join(modulesDir, 'rdma_rxe.ko'), join(modules, 'stock.ko'));
  const build = [kernel, 'rxe', join(modules, 'patched.ko'), join(__dirname, 'example.patch')];
  const { status, stdout, stderr } = run('sh', [join(__dirname, '..', 'kernel-module.sh'), ...build]);
  assert.equal(status, 0, `${stdout}${stderr}`);
}

/** @returns the ids of the commits */
function makeTree(): readonly string[] {
  mkdirSync(tree);
  git('init', '--quiet');
  writeFileSync(join(tree, '.gitignore'), 'rdma_rxe.ko\n');
  return commits.map((module, index) => {
    writeFileSync(join(tree, 'which'), module);
    git('add', '.');
    git('commit', '--quiet', '--allow-empty', '--message', `commit ${index + 1}`);
    return git('rev-parse', 'HEAD').trim();
  });
}

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=verbspec', '-c', 'user.email=verbspec@localhost', '-c', 'commit.gpgsign=false'];
  const { status, stdout, stderr } = run('git', [...identity, ...args]);
  assert.equal(status, 0, `git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): SpawnSyncReturns<string> {
  const options = {
    cwd: program === 'git' ? tree : folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  } as const;
  return spawnSync(program, args, options);
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(() => {
    rmSync(folder, { recursive: true });
  });
