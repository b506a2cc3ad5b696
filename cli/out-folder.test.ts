import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { UsageError } from '../drivers/contract';
import { OutFolder } from './out-folder';

/** A number that no process of Linux has. */
const deadPid = 2 ** 22 + 1;

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

  it('removes what a killed run has left, and not what a living one writes', () => {
    mkdirSync(join(folder, `.out.${deadPid}-abc`));
    const living = new OutFolder(join(folder, 'out'));
    const out = new OutFolder(join(folder, 'out'));
    assert.equal(readdirSync(folder).length, 2);
    for (const each of [living, out]) each.end();
    assert.deepEqual(readdirSync(folder), []);
  });
});
