import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseClauses } from '../../catalog/clauses';
import { block, milkPage, section } from './fixtures/pages';
import { draftPage } from './page-draft';

const page = milkPage(
  section('NAME', block('text', 'ibv_milk_cow - milk a cow')),
  section('SYNOPSIS', block('code', '#include <infiniband/verbs.h>', 'int ibv_milk_cow(struct ibv_cow *cow);')),
  section(
    'DESCRIPTION',
    block(
      'text',
      'The cow must stand.',
      'The bucket should be empty.',
      'The milk may be warm.',
      'It fills the bucket.',
    ),
    block('text', 'Cows:', 'The members of the struct are these:'),
    block('code', 'struct ibv_cow {', 'int legs;', '};'),
  ),
  section('EXAMPLES', block('text', '1.', 'Find a cow.'), block('code', 'ibv_milk_cow(cow);')),
  section('SEE ALSO', block('text', 'ibv_feed_cow(3)')),
  section('AUTHORS', block('term', 'A farmer')),
);
const { clauses, ties, feature } = draftPage(page, '65');

describe('the draft of a page', () => {
  it('has a clause for each sentence that may say something, and no word of it', () => {
    assert.equal(parseClauses(clauses, page.name, 'draft').length, 7);
    assert.deepEqual(clauses[1], {
      id: 'ibv_milk_cow.todo-2',
      section: 'DESCRIPTION',
      authority: 'page',
      level: 'must',
      testable: 'loopback',
      statement: 'TODO: sentence 1 of DESCRIPTION, in our own words',
    });
    assert.doesNotMatch(JSON.stringify([clauses, ties]), /bucket|stand/);
  });

  it('guesses how binding a clause is', () => {
    const levels = clauses.map(({ section: title, level }) => `${title} ${level}`);
    assert.deepEqual(levels, [
      'SYNOPSIS info',
      ...['must', 'should', 'may', 'must', 'must'].map((level) => `DESCRIPTION ${level}`),
      'EXAMPLES info',
    ]);
  });

  it('ties each clause to its sentence, and notes why others carry none', () => {
    const standing = ties.sentences.map(({ clauses: own = [], note }) => note ?? own.join());
    assert.deepEqual(standing, [
      ...['name', 'header', 'ibv_milk_cow.todo-1'],
      ...[2, 3, 4, 5].map((number) => `ibv_milk_cow.todo-${number}`),
      ...['heading', 'introduction', 'declaration', 'ibv_milk_cow.todo-6', 'declaration'],
      ...['list-number', 'ibv_milk_cow.todo-7', 'example-code', 'see-also', 'author'],
    ]);
  });

  it('has a feature that is a draft as well', () => {
    assert.equal(feature, '@ibv_milk_cow\nFeature: ibv_milk_cow(3) - TODO: in a few words\n');
  });
});
