import { Attachment } from '@cucumber/messages';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mediaTypes } from '../../drivers/contract';
import { comparisonOfStep, comparisonsOfStep } from './recorded-failure';

const comparison = { subject: 'x', expected: [1], observed: null, withinMs: 5 };

function attached(body: unknown, testStepId = 'a', mediaType: string = mediaTypes.failure): Attachment {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return Object.assign(new Attachment(), { body: text, mediaType, testStepId });
}

describe('what a step compared', () => {
  it('is what that step has attached', () => {
    const others = [attached({ ...comparison, subject: 'y' }, 'b'), attached('text', 'a', 'text/plain')];
    assert.deepEqual(comparisonOfStep([...others, attached(comparison), ...others], 'a'), comparison);
    assert.equal(comparisonOfStep(others, 'a'), undefined);
  });

  it('can be several things, each by itself', () => {
    const other = { ...comparison, observed: ['other'] };
    const all = [attached(comparison), attached('{'), attached(other), attached(comparison, 'b')];
    assert.deepEqual(comparisonsOfStep(all, 'a'), [comparison, other]);
  });

  for (const body of [
    '{',
    'null',
    '[]',
    { ...comparison, subject: 1 },
    { subject: 'x', expected: 1 },
    { subject: 'x', observed: 1 },
    { ...comparison, withinMs: '5' },
  ]) {
    it(`is not known from ${JSON.stringify(body)}`, () => {
      assert.equal(comparisonOfStep([attached(body)], 'a'), undefined);
    });
  }
});
