import assert from 'node:assert/strict';
import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { UsageError } from '../../drivers/contract';
import { OutFolder } from './out-folder';
import { RepeatFolder } from './repeat-folder';

describe('RepeatFolder', () => {
  let folder: string;

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'verbspec-test-')), 'several');
  });

  afterEach(() => {
    rmSync(join(folder, '..'), { recursive: true });
  });

  function publish(path: string, text: string): void {
    const out = new OutFolder(path);
    writeFileSync(join(out.partial, 'verdicts.json'), text);
    out.keep('whole');
    out.end();
  }

  /** Repeats a run this many times, and ends after some of them. */
  function repeat(times: number, text: string, until = times): string | undefined {
    const repeated = new RepeatFolder(folder, times);
    for (let number = 1; number <= until; number++) publish(repeated.run(number), `${text} ${number}`);
    if (until === times) repeated.complete();
    return repeated.end();
  }

  function textsIn(path: string): string[] {
    const runs = readdirSync(path).filter((name) => /^\d+$/.test(name));
    return runs.sort().map((name) => readFileSync(join(path, name, 'verdicts.json'), 'utf8'));
  }

  it('takes the place of earlier runs when the last has ended', () => {
    repeat(3, 'old');
    repeat(2, 'new');
    assert.deepEqual(textsIn(folder), ['new 1', 'new 2']);
    assert.deepEqual(readdirSync(folder).sort(), ['.verbspec', '1', '2']);
  });

  it('takes the place of a single run, and a single run that of several', () => {
    publish(folder, 'single');
    repeat(1, 'new');
    assert.deepEqual(readdirSync(folder).sort(), ['.verbspec', '1']);
    publish(folder, 'single');
    assert.deepEqual(readdirSync(folder).sort(), ['.verbspec', 'verdicts.json']);
  });

  it('keeps earlier runs, whatever ends the new ones early', () => {
    repeat(2, 'old');
    assert.equal(repeat(2, 'none', 0), undefined);
    assert.deepEqual(textsIn(folder), ['old 1', 'old 2']);
    assert.equal(repeat(3, 'cut', 1), join(folder, 'earlier'));
    assert.deepEqual(textsIn(folder), ['cut 1']);
    assert.equal(repeat(3, 'again', 2), join(folder, 'earlier'));
    assert.deepEqual(textsIn(join(folder, 'earlier')), ['old 1', 'old 2']);
    repeat(1, 'new');
    assert.deepEqual(readdirSync(folder).sort(), ['.verbspec', '1']);
  });

  it('leaves nothing where nothing was', () => {
    repeat(2, 'none', 0);
    assert.ok(!existsSync(folder));
  });

  it('touches no builds of others, and minds no other files', () => {
    repeat(2, 'old');
    writeFileSync(join(folder, 'notes.txt'), 'precious');
    repeat(2, 'new');
    assert.ok(existsSync(join(folder, 'notes.txt')));
    mkdirSync(join(folder, '1234'));
    writeFileSync(join(folder, '1234', 'verdicts.json'), '{}');
    for (const refused of [() => new RepeatFolder(folder, 2), () => new OutFolder(folder)])
      assert.throws(refused, {
        name: UsageError.name,
        message: /holds (1234|notes\.txt), which verbspec did not write/,
      });
    assert.deepEqual(textsIn(folder), ['new 1', '{}', 'new 2']);
    rmSync(join(folder, '.verbspec'));
    assert.throws(() => new RepeatFolder(folder, 2), { name: UsageError.name, message: /holds 1, which/ });
  });

  it('never has less than there was, wherever it is killed', (context) => {
    repeat(2, 'old');
    for (let allowed = 0; allowed < 12; allowed++) {
      let renames = 0;
      const real = fs.renameSync;
      const killing = context.mock.method(fs, 'renameSync', (from: string, to: string) => {
        renames += 1;
        if (renames > allowed) throw new Error('killed');
        real(from, to);
      });
      try {
        repeat(2, 'new');
      } catch (error) {
        assert.match(String(error), /killed/);
      } finally {
        killing.mock.restore();
      }
      const found = [folder, join(folder, 'earlier')].filter((path) => existsSync(path)).flatMap(textsIn);
      const whole = ['old', 'new'].filter((text) => [1, 2].every((number) => found.includes(`${text} ${number}`)));
      assert.notDeepEqual(whole, [], `after ${allowed} renames: ${found.join()}`);
      if (whole.includes('new')) repeat(2, 'old');
    }
  });
});
