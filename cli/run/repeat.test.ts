import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { OutFolder } from '../out/out-folder';
import { repeat, type RepeatOptions } from './repeat';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-repeat-'));

after(() => {
  rmSync(folder, { recursive: true });
});

/** Repeats runs that end with these codes. @returns the exit code, and how many ran */
async function repeated(name: string, codes: readonly number[], options?: RepeatOptions): Promise<[number, number]> {
  const out = join(folder, name);
  let runs = 0;
  const runOnce = (path: string): Promise<number> => {
    const results = new OutFolder(path);
    writeFileSync(join(results.partial, 'verdicts.json'), '{}');
    results.keep('whole');
    results.end();
    return Promise.resolve(codes[runs++] ?? 0);
  };
  const code = await repeat(codes.length, out, runOnce, options);
  assert.equal(readdirSync(out).filter((each) => /^\d+$/.test(each)).length, runs, 'each has its results');
  return [code, runs];
}

describe('repeated runs', () => {
  it('end with --until-fail after the first that does not end with 0', async () => {
    assert.deepEqual(await repeated('fails', [0, 0, 1, 0, 0], { untilFail: true }), [1, 3]);
    assert.deepEqual(await repeated('breaks', [0, 3, 1], { untilFail: true }), [3, 2]);
  });

  it('are all made where none fails, or nobody asks to end', async () => {
    assert.deepEqual(await repeated('passes', [0, 0, 0], { untilFail: true }), [0, 3]);
    assert.deepEqual(await repeated('whatever', [0, 3, 1, 0]), [1, 4]);
  });
});
