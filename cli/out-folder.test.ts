import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { UsageError } from '../drivers/contract';
import { OutFolder } from './out-folder';

/** A number that no process of Linux has. */
const deadPid = 2 ** 22 + 1;

function isUsage(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof UsageError && message.test(error.message);
}

describe('OutFolder', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function publish(out: OutFolder, text: string): void {
    writeFileSync(join(out.partial, 'verdicts.json'), text);
    out.keep();
    out.end();
  }

  it('replaces earlier results as a whole, and leaves nothing else', () => {
    const final = join(folder, 'out');
    publish(new OutFolder(final), 'first');
    publish(new OutFolder(final), 'second');
    assert.equal(readFileSync(join(final, 'verdicts.json'), 'utf8'), 'second');
    assert.deepEqual(readdirSync(folder), ['out']);
  });

  it('keeps two runs at the same time apart', () => {
    const final = join(folder, 'out');
    const [one, other] = [new OutFolder(final), new OutFolder(final)];
    publish(one, 'one');
    publish(other, 'other');
    assert.equal(readFileSync(join(final, 'verdicts.json'), 'utf8'), 'other');
    assert.deepEqual(readdirSync(folder), ['out']);
  });

  it("never replaces a folder with somebody's files", () => {
    writeFileSync(join(folder, 'precious'), '');
    assert.throws(() => new OutFolder(folder), UsageError);
    assert.ok(existsSync(join(folder, 'precious')));
  });

  it('refuses a file, and a path through a file', () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'precious');
    assert.throws(() => new OutFolder(file), isUsage(/file is no folder; name another folder with --out/));
    assert.throws(() => new OutFolder(join(file, 'out')), isUsage(/cannot write results to .*; name another folder/));
    assert.equal(readFileSync(file, 'utf8'), 'precious');
  });

  it('writes to the folder that a link names', () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'link'));
    publish(new OutFolder(join(folder, 'link')), 'text');
    assert.equal(readFileSync(join(folder, 'real', 'verdicts.json'), 'utf8'), 'text');
    assert.deepEqual(readdirSync(folder).sort(), ['link', 'real']);
  });

  it('tells where the results are that cannot be put in their place', () => {
    const out = new OutFolder(join(folder, 'out'));
    writeFileSync(join(folder, 'out'), 'came meanwhile');
    assert.throws(() => {
      publish(out, 'text');
    }, /cannot write results to .*; the results are in /);
    assert.equal(readFileSync(join(out.partial, 'verdicts.json'), 'utf8'), 'text');
  });

  it('removes what a killed run has left, and not what a living one writes', () => {
    mkdirSync(join(folder, `.out.${hostname()}-${deadPid}-abcdef`));
    mkdirSync(join(folder, `.out.${hostname()}-${deadPid}-abcdef-old`));
    const living = new OutFolder(join(folder, 'out'));
    const out = new OutFolder(join(folder, 'out'));
    assert.equal(readdirSync(folder).length, 2);
    for (const each of [living, out]) each.end();
    assert.deepEqual(readdirSync(folder), []);
  });
});
