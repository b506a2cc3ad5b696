import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProgramRecord } from '../../programs/program';
import { Guide } from '../model/guide';
import { Ledger } from '../model/looseness';
import { differenceOf } from './compare';
import { usual } from './inclusion';

const ledger = new Ledger();
const guide = new Guide(
  { calls: [], records: [], capabilities: [], excused: new Set(), countsWaits: true },
  usual,
  ledger,
);

function refusal(verb: ProgramRecord['verb'], returned: number, errno: number): ProgramRecord {
  return { verb, args: {}, returned, errno, outputs: {} };
}

/** The texts that a device gives for the types of nodes, in that order: what the last one differs in. */
function differenceOfTexts(...texts: readonly (readonly [nodeType: string, text: string])[]) {
  const records = texts.map(([nodeType, text], index): ProgramRecord => {
    const outputs = { address: `0x${index}` };
    return { verb: 'ibv_node_type_str', args: { nodeType }, returned: text, errno: 0, outputs };
  });
  const observed = new Guide(
    { calls: [], records, capabilities: [], excused: new Set(), countsWaits: true },
    usual,
    ledger,
  );
  observed.at = records.length - 1;
  const last = records.at(-1) ?? assert.fail();
  return differenceOf(observed, last, { ...last, returned: 'another text' });
}

describe('the text for an enumerator', () => {
  it('is that of no other', () => {
    const other = ['IBV_NODE_CA', 'a node'] as const;
    for (const value of ['IBV_NODE_SWITCH', 'IBV_NODE_UNKNOWN', '200'])
      assert.deepEqual(differenceOfTexts(other, [value, 'a node']), {
        what: 'text',
        expected: 'a text of its own',
        observed: 'a node',
      });
  });

  it('of unknown nodes may be that of a number that is no enumerator, which is counted', () => {
    assert.equal(differenceOfTexts(['IBV_NODE_UNKNOWN', 'unknown'], ['200', 'unknown']), undefined);
    assert.equal(differenceOfTexts(['200', 'unknown'], ['IBV_NODE_UNKNOWN', 'unknown']), undefined);
    assert.equal(ledger.taken('text-of-unknown'), 2);
  });
});

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

describe('the capacities of a QP', () => {
  const asked = { maxSendWr: 4, maxRecvWr: 4, maxSendSge: 2, maxRecvSge: 2, maxInlineData: 65 };
  const differenceOfQp = (cap: object, srq: string | null = null) => {
    const args = { qpInitAttr: { srq, cap: asked } };
    const model = { verb: 'ibv_create_qp', args, returned: 'qp#1', errno: 0, outputs: { cap: asked } } as const;
    return differenceOf(guide, { ...model, outputs: { cap: { ...asked, ...cap } } }, model);
  };

  it('are at least what was asked for', () => {
    assert.equal(differenceOfQp({ maxSendWr: 127, maxInlineData: 80 }), undefined);
    assert.deepEqual(differenceOfQp({ maxInlineData: 64 }), { what: 'maxInlineData', expected: 65, observed: 64 });
    assert.deepEqual(differenceOfQp({ maxRecvWr: 3 }), { what: 'maxRecvWr', expected: 4, observed: 3 });
  });

  it('are none of receives where an SRQ has them', () => {
    assert.equal(differenceOfQp({ maxRecvWr: 0, maxRecvSge: 0 }, 'srq#1'), undefined);
    assert.deepEqual(differenceOfQp({ maxSendSge: 1 }, 'srq#1'), { what: 'maxSendSge', expected: 2, observed: 1 });
  });
});

it('an SRQ has at least the sizes that were asked for', () => {
  const attr = { maxWr: 4, maxSge: 2, srqLimit: 0 };
  const differenceOfSrq = (told: object) => {
    const args = { srqInitAttr: { attr } };
    const model = { verb: 'ibv_create_srq', args, returned: 'srq#1', errno: 0, outputs: attr } as const;
    return differenceOf(guide, { ...model, outputs: { ...attr, ...told } }, model);
  };
  assert.equal(differenceOfSrq({ maxWr: 127, maxSge: 3 }), undefined);
  assert.deepEqual(differenceOfSrq({ maxWr: 3 }), { what: 'maxWr', expected: 4, observed: 3 });
  assert.deepEqual(differenceOfSrq({ maxSge: 0 }), { what: 'maxSge', expected: 2, observed: 0 });
});
