import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AstBuilder, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin';
import { IdGenerator, type Rule } from '@cucumber/messages';
import { HarnessError } from '../drivers/contract';
import { clauseIdsOf } from '../reports/clauses';
import { root } from './project';

/** A Rule of the features. */
export interface FeatureRule {
  /** Clause ids that it carries. */
  readonly ids: readonly string[];
  readonly title: string;
  /** Path of its feature file within the project. */
  readonly uri: string;
  readonly scenarios: readonly { readonly name: string; readonly line: number }[];
}

/** Paths of all feature files within the project, sorted. */
export function featurePaths(): string[] {
  return readdirSync(join(root, 'features'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.feature'))
    .map((path) => join('features', path))
    .sort();
}

/** The rules of all features, in the order of the files. */
export function featureRules(): FeatureRule[] {
  return featurePaths().flatMap(rulesOf);
}

function rulesOf(uri: string): FeatureRule[] {
  const parser = new Parser(new AstBuilder(IdGenerator.incrementing()), new GherkinClassicTokenMatcher());
  try {
    const { feature } = parser.parse(readFileSync(join(root, uri), 'utf8'));
    return (feature?.children ?? []).flatMap(({ rule }) => (rule === undefined ? [] : [featureRule(uri, rule)]));
  } catch (error) {
    throw new HarnessError(`${uri}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function featureRule(uri: string, { tags, name, children }: Rule): FeatureRule {
  const scenarios = children.flatMap(({ scenario }) => scenario ?? []);
  return {
    ids: clauseIdsOf(tags),
    title: name,
    uri,
    scenarios: scenarios.map((scenario) => ({ name: scenario.name, line: scenario.location.line })),
  };
}
