import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { UsageError } from '../../drivers/contract';
import type { Proof } from '../../reports/proof/proof';
import { faultEvidence } from './fault-evidence';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-evidence-'));

after(() => {
  rmSync(folder, { recursive: true });
});

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const proof: Proof = {
  schemaVersion: 2,
  suite: { version: '1', commit: 'abc123' },
  faults: [
    {
      name: 'lost',
      summary: 'it is lost',
      rules: ['page.first'],
      killed: { 'page.first': ['One'] },
      reliant: [],
      crossKills: [],
    },
  ],
  rules: [],
  problems: [],
};

describe('the proof that --proof names', () => {
  const path = written('proof.json', JSON.stringify(proof));

  it('shows the faults of its commit', () => {
    const { shown, faults } = faultEvidence(path, 'abc123');
    assert.equal(shown, true);
    assert.deepEqual(
      faults.map(({ name }) => name),
      ['lost'],
    );
  });

  it('shows nothing of another commit; then the planted faults are shown', () => {
    const { shown, faults } = faultEvidence(path, 'abc124');
    assert.equal(shown, false);
    assert.ok(faults.some(({ name }) => name === 'event-is-lost'));
  });

  const wrong: readonly [what: string, path: string, message: RegExp][] = [
    ['is not there', join(folder, 'none.json'), /^there is no proof .*none\.json; `verbspec prove/],
    ['is not valid JSON', written('cut.json', '{"faults": ['), /cut\.json is not valid JSON; `verbspec prove/],
    ['is not a proof', written('other.json', '{}'), /other\.json departs from its schema/],
    ['is a folder', folder, /^--proof \S+ cannot be used: it is a folder; `verbspec prove/],
  ];
  for (const [what, named, message] of wrong) {
    it(`is refused if it ${what}`, () => {
      assert.throws(
        () => faultEvidence(named, 'abc123'),
        (error: Error) => {
          assert.equal(error.constructor, UsageError);
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }
});
