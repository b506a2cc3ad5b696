import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProvedFault } from './proof';
import { bluntFaults, bluntFrom, changedReliances, reliancesOf } from './reliances';

function fault(name: string, others: readonly string[]): ProvedFault {
  const reliant = others.map((rule) => ({ rule, scenarios: ['It is so'], at: ['ibv_poll_cq'] }));
  return { name, summary: 'it goes wrong', rules: [], killed: {}, reliant, crossKills: [] };
}

const faults = [fault('late', ['page.two', 'page.one']), fault('alone', [])];

describe('the other rules that a fault meets', () => {
  it('are recorded by name, in an order that keeps differences small', () => {
    assert.deepEqual(reliancesOf(faults), { late: ['page.one', 'page.two'] });
  });

  it('are no difference as long as they are those of the record', () => {
    assert.deepEqual(changedReliances(reliancesOf(faults), faults, true), []);
  });

  it('are a difference when one is new', () => {
    assert.deepEqual(changedReliances({ late: ['page.one'] }, faults, false), [
      'fault late (it goes wrong) meets page.two too, in ibv_poll_cq of "It is so": if that is meant, `verbspec prove --accept`',
    ]);
  });

  it('are one when a rule or a fault of the record has gone, where all scenarios ran', () => {
    const recorded = { late: ['page.one', 'page.three', 'page.two'], gone: ['page.one'] };
    assert.deepEqual(changedReliances(recorded, faults, false), []);
    assert.deepEqual(changedReliances(recorded, faults, true), [
      'fault late met page.three, and does no more: if that is meant, `verbspec prove --accept`',
      'fault gone is recorded, and there is none: if that is meant, `verbspec prove --accept`',
    ]);
  });

  it('make it blunt when they are more than fifty, of which a part may be known from the record alone', () => {
    const rules = Array.from({ length: bluntFrom + 1 }, (_, index) => `page.rule-${index}`);
    assert.deepEqual(bluntFaults([fault('sharp', rules.slice(1)), fault('blunt', rules)]), [
      { name: 'blunt', otherRules: 51 },
    ]);
    assert.deepEqual(bluntFaults([fault('sampled', rules.slice(1))], { sampled: rules }), [
      { name: 'sampled', otherRules: 51 },
    ]);
  });
});
