import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { descriptions } from '..';
import { kinds, type Kind } from '../kinds';
import { enderOf, endingOrder, kindsTaken } from './lifetimes';

describe('the lives of objects', () => {
  it('each kind is made by a verb and ended by another, whose argument it is', () => {
    for (const kind of Object.keys(kinds) as Kind[]) {
      assert.ok(
        descriptions.some(({ makes }) => makes === kind),
        `no verb makes a ${kind}`,
      );
      assert.deepEqual(kindsTaken(enderOf(kind)), [kind]);
    }
  });

  it('users end before what they are made of or hold', () => {
    const before = (one: Kind, other: Kind): boolean => endingOrder.indexOf(one) < endingOrder.indexOf(other);
    for (const description of descriptions) {
      for (const used of kindsTaken(description)) {
        if (description.makes !== undefined) assert.ok(before(description.makes as Kind, used), description.c);
      }
    }
    assert.ok(before('mw', 'qp'), 'a window that is bound holds its QP');
    assert.ok(before('mr', 'memory'));
  });
});
