import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AstBuilder, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin';
import { IdGenerator } from '@cucumber/messages';
import { featureSource, type FeatureSource } from './gherkin-source';

const text = `@ibv_milk
Feature: milk

  Background:
    Given a cow

  # NOTES: of buckets.
  @ibv_milk.fills @ibv_milk.returns
  Rule: It fills the bucket

    @needs.bucket
    Scenario Outline: A bucket of <n> litres
      When it is milked

      Examples:
        | n |
        | 2 |

    # Another one.
    Scenario: None
      Then nothing

  @ibv_milk.kicks
  Rule: It kicks

    Only cows of
    age do.

    Scenario: A kick
      Then it hurts
`;

function sourceOf(feature: string): FeatureSource {
  const parser = new Parser(new AstBuilder(IdGenerator.incrementing()), new GherkinClassicTokenMatcher());
  const document = parser.parse(feature);
  assert.ok(document.feature);
  return featureSource('features/ibv_milk.feature', feature, document.feature);
}

describe('the source of a feature', () => {
  const source = sourceOf(text);

  it('has its background', () => {
    assert.equal(source.background, 'Background:\n  Given a cow');
  });

  it('has the scenarios of each Rule without what belongs to the next', () => {
    const [fills] = source.rules;
    assert.deepEqual(fills?.ids, ['ibv_milk.fills', 'ibv_milk.returns']);
    assert.equal(fills.line, 9);
    assert.deepEqual(fills.scenarios, [
      '@needs.bucket\nScenario Outline: A bucket of <n> litres\n  When it is milked\n\n  Examples:\n    | n |\n    | 2 |',
      'Scenario: None\n  Then nothing',
    ]);
  });

  it('has what a Rule adds to its title', () => {
    assert.deepEqual(source.rules[1], {
      ids: ['ibv_milk.kicks'],
      title: 'It kicks',
      uri: 'features/ibv_milk.feature',
      line: 24,
      scenarios: ['Scenario: A kick\n  Then it hurts'],
      description: 'Only cows of age do.',
    });
  });
});
