import assert from 'node:assert/strict';
import { it } from 'node:test';
import { evidenceOfProof, faultWords, isOfCommit } from './fault-evidence';
import type { Proof } from '../proof/proof';

const fault = { name: 'lost', summary: 'it is lost', rules: ['page.first'], killed: { 'page.first': ['One'] } };
const proof: Proof = {
  schemaVersion: 2,
  suite: { version: '1', commit: 'abc123' },
  faults: [{ ...fault, reliant: [], crossKills: [] }],
  rules: [],
  problems: [],
};

it('says what was shown of what a proof has shown, and of nothing else', () => {
  const shown = evidenceOfProof(proof);
  assert.equal(faultWords(shown, ['page.first']), 'Shown to fail under: lost (it is lost)');
  assert.equal(faultWords({ ...shown, shown: false }, ['page.first']), 'Planted faults: lost (it is lost)');
  assert.equal(faultWords(shown, ['page.second']), undefined);
  const uncaught = evidenceOfProof({
    ...proof,
    faults: [{ ...fault, killed: { 'page.first': [] }, reliant: [], crossKills: [] }],
  });
  assert.equal(faultWords(uncaught, ['page.first']), undefined);
});

it('takes a proof for one of the same suite only if no file was changed', () => {
  assert.ok(isOfCommit(proof, 'abc123'));
  assert.ok(!isOfCommit(proof, 'abc124'));
  const dirty = { ...proof, suite: { version: '1', commit: 'abc123-dirty' } };
  assert.ok(!isOfCommit(dirty, 'abc123-dirty'));
});
