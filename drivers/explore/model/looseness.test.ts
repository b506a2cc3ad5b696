import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isVerbName } from '../../verbs';
import { clauseIds } from '../fixtures/clause-ids';
import { Ledger, looseness } from './looseness';

test('each place where more than one outcome is allowed cites a clause, a page, or that the page is silent', () => {
  const known = clauseIds();
  for (const { clause, allows } of Object.values(looseness)) {
    assert.ok(clause === 'page silent' || known.has(clause) || isVerbName(clause), `${allows}: there is no ${clause}`);
  }
});

test('a ledger counts, and adds up', () => {
  const [one, other] = [new Ledger(), new Ledger()];
  one.take('cq-size');
  other.take('cq-size');
  one.add(other);
  assert.equal(one.taken('cq-size'), 2);
  assert.equal(one.taken('late-arm'), 0);
});
