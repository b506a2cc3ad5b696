import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fingerprintOf, sketchOf } from '../../catalog/fingerprint';
import type { PageTies, TiedSentence } from '../../catalog/ties';
import { driftOf } from '../../reports/spec-book/drift';
import type { ManPage } from '../../reports/spec-book/man-page';
import { block, milkPage, section } from './fixtures/pages';
import { retie } from './retie';

const fills = 'The verb fills the bucket that the caller hands in.';
const spills = 'The verb fills the bucket that the caller hands over.';
const kicks = 'A cow that is not willing kicks.';
const sleeps = 'Cows sleep at night, as do most of us.';

const pageOf = (...texts: string[]): ManPage => milkPage(section('NOTES', block('text', ...texts)));

function known(text: string, ...clauses: string[]): TiedSentence {
  const own = clauses.map((slug) => `ibv_milk_cow.${slug}`);
  return { fingerprint: fingerprintOf(text), sketch: sketchOf(text), ...(own.length > 0 && { clauses: own }) };
}

const before: PageTies = { edition: '65', sentences: [known(fills, 'fills'), known(kicks, 'kicks')] };
const acknowledgement = { editions: '<65', reason: 'Cows were others.' };

describe('a page that is tied to another edition', () => {
  it('stays as it is where the page does', () => {
    const { ties, drifts } = retie(pageOf(fills, kicks), '65.0', '65', before);
    assert.deepEqual([ties, drifts], [before, []]);
    assert.deepEqual(retie(pageOf(fills, kicks), '66.0', '66', before).ties, { ...before, edition: '66' });
  });

  it('hands clauses on to a sentence that was changed, and asks what that means', () => {
    const { ties, drifts } = retie(pageOf(spills, kicks), '66.0', '66', before);
    assert.deepEqual(ties.sentences, [known(spills, 'fills'), known(kicks, 'kicks')]);
    assert.deepEqual(
      drifts.map(({ change }) => change),
      ['changed'],
    );
    assert.deepEqual(ties.acknowledged, [
      {
        change: 'changed',
        fingerprint: fingerprintOf(fills),
        of: fingerprintOf(spills),
        clauses: ['ibv_milk_cow.fills'],
        editions: '<66',
        reason: 'TODO: what it means for the rules',
      },
    ]);
  });

  it('leaves a gap for a new sentence, and drops one that is gone', () => {
    const { ties } = retie(pageOf(fills, sleeps), '66.0', '66', before);
    assert.deepEqual(ties.sentences, [known(fills, 'fills'), known(sleeps)]);
    assert.deepEqual(
      ties.acknowledged?.map(({ change, fingerprint, clauses }) => [change, fingerprint, clauses]),
      [
        ['gone', fingerprintOf(sleeps), undefined],
        ['new', fingerprintOf(kicks), ['ibv_milk_cow.kicks']],
      ],
    );
  });

  it('has acknowledged what the edition so far says otherwise', () => {
    for (const texts of [[spills, kicks], [fills, sleeps], [sleeps], [kicks, spills, sleeps]]) {
      const { ties } = retie(pageOf(...texts), '66.0', '66', before);
      const drifts = driftOf(pageOf(fills, kicks), '65.0', ties);
      assert.ok(drifts.length > 0);
      assert.ok(drifts.every(({ acknowledged }) => acknowledged !== undefined));
    }
  });

  it('asks nothing where the edition is the same and only its sentences are cut otherwise', () => {
    assert.equal(retie(pageOf(spills, kicks), '65.0', '65', before).ties.acknowledged, undefined);
  });

  it('takes the clauses that a sentence was acknowledged with', () => {
    const news = { ...acknowledgement, change: 'new', fingerprint: fingerprintOf(sleeps), editions: '>=66' } as const;
    const acknowledged = [{ ...news, clauses: ['ibv_milk_cow.sleeps'] }];
    const { ties } = retie(pageOf(fills, kicks, sleeps), '66.0', '66', { ...before, acknowledged });
    assert.deepEqual(ties.sentences[2], known(sleeps, 'sleeps'));
    assert.deepEqual(
      ties.acknowledged?.map(({ change, editions }) => [change, editions]),
      [['gone', '<66']],
    );
  });

  it('keeps what was acknowledged of older editions, of the sentences that there are now', () => {
    const [older, lost] = [fingerprintOf('The bucket is filled.'), fingerprintOf('Nothing kicks.')];
    const acknowledged = [
      { ...acknowledgement, change: 'changed', fingerprint: older, of: fingerprintOf(fills) },
      { ...acknowledgement, change: 'changed', fingerprint: lost, of: fingerprintOf(kicks) },
      { ...acknowledgement, change: 'gone', fingerprint: fingerprintOf(fills) },
      { ...acknowledgement, change: 'new', fingerprint: lost },
    ] as const;
    const { ties } = retie(pageOf(spills), '66.0', '66', { ...before, acknowledged });
    assert.deepEqual(ties.acknowledged?.slice(0, -2), [
      { ...acknowledged[0], of: fingerprintOf(spills) },
      { ...acknowledged[2], fingerprint: fingerprintOf(spills) },
      acknowledged[3],
    ]);
  });

  it('keeps what stands elsewhere', () => {
    const elsewhere = [{ clauses: ['ibv_milk_cow.moos'], reason: 'Everybody knows.' }];
    assert.deepEqual(retie(pageOf(spills), '66.0', '66', { ...before, elsewhere }).ties.elsewhere, elsewhere);
  });
});
