import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { KeptOutcomes } from './kept-outcomes';

let folder = '';

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'verbspec-kept-'))));

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('the outcomes that are kept', () => {
  it('are there for the next run, also after one that was killed in the middle of a line', () => {
    new KeptOutcomes('key', folder).add('one', { outcome: 'caught', by: 'a.feature:1' });
    appendFileSync(join(folder, 'systematic.jsonl'), '{"key":"key","fault":"tw');
    assert.deepEqual([...new KeptOutcomes('key', folder).read()], [['one', { outcome: 'caught', by: 'a.feature:1' }]]);
  });

  it('do not count under another key', () => {
    new KeptOutcomes('key', folder).add('one', { outcome: 'unseen' });
    assert.equal(new KeptOutcomes('other', folder).read().size, 0);
    assert.equal(new KeptOutcomes('key', folder).read().size, 0);
  });
});
