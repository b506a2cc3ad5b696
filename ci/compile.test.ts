import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

const root = join(__dirname, '..');

describe('the TypeScript of the project', () => {
  const project = mkdtempSync(join(tmpdir(), 'verbspec-compile-'));
  const source = join(project, 'cli', 'hello.ts');
  const compiled = join(project, 'build', 'js', 'cli', 'hello.js');
  before(() => {
    for (const folder of ['bench', 'ci', 'cli', 'drivers', 'catalog', 'reports', 'steps'])
      mkdirSync(join(project, folder));
    for (const file of ['ci/typescript.js', 'ci/compile.js', 'tsconfig.json'])
      cpSync(join(root, file), join(project, file));
    symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  });
  after(() => {
    rmSync(project, { recursive: true });
  });

  function node(...args: string[]): string {
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
    return stdout + stderr;
  }

  const hello = (): string => node('-r', './ci/typescript.js', 'cli/hello.ts').trim();

  it('runs without being compiled before', () => {
    writeFileSync(source, "const word: string = 'hello';\nconsole.log(word);\n");
    assert.equal(hello(), 'hello');
  });

  it('runs as it was compiled while it is the same', () => {
    assert.equal(node('ci/compile.js'), '');
    const { atime, mtime } = statSync(compiled);
    writeFileSync(compiled, readFileSync(compiled, 'utf8').replace('hello', 'compiled'));
    utimesSync(compiled, atime, mtime);
    assert.equal(hello(), 'compiled');
  });

  it('runs as it is once it has changed, be it to something older', () => {
    writeFileSync(source, "console.log('changed');\n");
    utimesSync(source, new Date('2001-01-01'), new Date('2001-01-01'));
    assert.equal(hello(), 'changed');
  });

  it('has its own lines in stack traces, compiled or not', () => {
    writeFileSync(
      source,
      'interface Gone {\n  readonly a: number;\n}\n\nconst gone: Gone = { a: 1 };\nthrow new Error(`no ${gone.a}`);\n',
    );
    for (const compile of [(): string => '', (): string => node('ci/compile.js')]) {
      compile();
      assert.match(hello(), /cli\/hello\.ts:6:\d/);
    }
  });
});
