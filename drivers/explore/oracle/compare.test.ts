import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProgramRecord } from '../../programs/program';
import { Guide } from '../model/guide';
import { Ledger } from '../model/looseness';
import { differenceOf } from './compare';
import { usual } from './inclusion';

const guide = new Guide(
  { calls: [], records: [], capabilities: [], excused: new Set(), tellsWaits: true },
  usual,
  new Ledger(),
);

function refusal(verb: ProgramRecord['verb'], returned: number, errno: number): ProgramRecord {
  return { verb, args: {}, returned, errno, outputs: {} };
}

describe('a refusal', () => {
  const busy = refusal('ibv_destroy_comp_channel', 16, 16);

  it('of a function that returns errno need not set errno itself', () => {
    assert.equal(differenceOf(guide, { ...busy, errno: 0 }, busy), undefined);
  });

  it('of a function that returns errno is no negative number', () => {
    assert.deepEqual(differenceOf(guide, { ...busy, returned: -16 }, busy), {
      what: 'returned',
      expected: 16,
      observed: -16,
    });
  });

  it('of a function that returns -1 has to set errno', () => {
    const empty = refusal('ibv_get_cq_event', -1, 11);
    assert.deepEqual(differenceOf(guide, { ...empty, errno: 0 }, empty), { what: 'errno', expected: 11, observed: 0 });
  });
});
