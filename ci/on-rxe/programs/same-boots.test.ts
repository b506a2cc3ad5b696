import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { differentBoots, exitCodeOf } from './same-boots';

/** Boots that tell these, one after the other. */
function boots(...told: readonly string[]): Promise<number> {
  const left = [...told];
  return differentBoots(told.length, () => Promise.resolve(left.shift() ?? 'none is left'));
}

describe('the comparison of deterministic boots', () => {
  it('holds where all tell the same', async () => {
    assert.equal(exitCodeOf([await boots('a', 'a', 'a'), await boots('b')]), 0);
  });

  it('fails where one boot differs, whichever it is', async () => {
    for (const told of [
      ['b', 'a', 'a'],
      ['a', 'b', 'a'],
      ['a', 'a', 'b'],
    ]) {
      assert.equal(await boots(...told), 2);
      assert.equal(exitCodeOf([await boots('a', 'a'), await boots(...told)]), 1);
    }
  });

  it('fails where nothing booted', async () => {
    assert.equal(exitCodeOf([]), 1);
    assert.equal(exitCodeOf([await boots()]), 1);
  });
});
