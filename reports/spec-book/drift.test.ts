import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { driftOf } from './drift';
import { fingerprintOf, sketchOf } from '../../catalog/fingerprint';
import type { ManPage } from './man-page';
import type { Acknowledgement, PageTies } from '../../catalog/ties';

const fills = 'It fills the bucket and returns NULL.';
const fillsOrSays = 'It fills the bucket and returns NULL, and errno says why.';
const kicks = 'A cow that is not willing kicks.';

function pageOf(...texts: string[]): ManPage {
  const sentences = texts.map((text) => ({ id: fingerprintOf(text), runs: [{ text, face: 'plain' as const }] }));
  return { name: 'ibv_milk', sections: [{ title: 'NOTES', blocks: [{ kind: 'text', depth: 0, sentences }] }] };
}

function tiesOf(sentences: Readonly<Record<string, readonly string[]>>, ...acknowledged: Acknowledgement[]): PageTies {
  const entries = Object.entries(sentences);
  return {
    edition: '65',
    sentences: entries.map(([text, clauses]) => ({
      fingerprint: fingerprintOf(text),
      sketch: sketchOf(text),
      clauses,
    })),
    acknowledged,
  };
}

describe('drift', () => {
  it('is nothing where the page says the same in other clothes', () => {
    const page = pageOf(fills.toUpperCase(), '  A cow that is\nnot willing kicks!');
    assert.deepEqual(driftOf(page, '65', tiesOf({ [fills]: ['ibv_milk.fills'], [kicks]: [] })), []);
  });

  it('reports a changed sentence with what it was, and its rules', () => {
    assert.deepEqual(driftOf(pageOf(fillsOrSays, kicks), '65', tiesOf({ [fills]: ['ibv_milk.fills'], [kicks]: [] })), [
      {
        page: 'ibv_milk',
        section: 'NOTES',
        change: 'changed',
        fingerprint: fingerprintOf(fillsOrSays),
        of: fingerprintOf(fills),
        text: fillsOrSays,
        clauses: ['ibv_milk.fills'],
      },
    ]);
  });

  it('reports new sentences, and those that are gone with their rules', () => {
    const drifts = driftOf(pageOf(kicks), '65', tiesOf({ [fills]: ['ibv_milk.fills'] }));
    assert.deepEqual(
      drifts.map(({ change, fingerprint, clauses }) => [change, fingerprint, clauses]),
      [
        ['new', fingerprintOf(kicks), []],
        ['gone', fingerprintOf(fills), ['ibv_milk.fills']],
      ],
    );
  });

  it('takes the closest sentence for what one was', () => {
    const closer = 'It fills the bucket and returns NULL, and errno says it.';
    const drifts = driftOf(pageOf(fillsOrSays), '65', tiesOf({ [fills]: [], [closer]: [] }));
    assert.deepEqual(
      drifts.map(({ change, of, fingerprint }) => [change, of ?? fingerprint]),
      [
        ['changed', fingerprintOf(closer)],
        ['gone', fingerprintOf(fills)],
      ],
    );
  });

  it('is acknowledged by its kind, both sentences and the edition', () => {
    const acknowledgement: Acknowledgement = {
      change: 'changed',
      fingerprint: fingerprintOf(fillsOrSays),
      of: fingerprintOf(fills),
      editions: '<65',
      reason: 'It was so.',
    };
    const given = (version: string, change: Partial<Acknowledgement>): string | undefined =>
      driftOf(pageOf(fillsOrSays), version, tiesOf({ [fills]: [] }, { ...acknowledgement, ...change }))[0]
        ?.acknowledged;
    assert.equal(given('44.0', {}), 'It was so.');
    assert.equal(given('unknown', {}), 'It was so.', 'an unknown version is not excluded');
    assert.equal(given('65.0', {}), undefined);
    assert.equal(given('44.0', { change: 'new' }), undefined);
    assert.equal(given('44.0', { of: fingerprintOf(kicks) }), undefined);
    assert.equal(given('44.0', { fingerprint: fingerprintOf(kicks) }), undefined);
  });
});
