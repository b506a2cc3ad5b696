import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AstBuilder, Errors, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin';
import {
  IdGenerator,
  type Feature,
  type GherkinDocument,
  type Rule,
  type Scenario,
  type TableRow,
} from '@cucumber/messages';
import { HarnessError } from '../../drivers/contract';
import { clauseIdsOf, loadClauses, type Clauses } from '../../catalog/clauses';
import { root } from '../common/project';

/** A Rule of the features. */
export interface FeatureRule {
  /** Clause ids that it carries. */
  readonly ids: readonly string[];
  readonly title: string;
  /** Path of its feature file within the project. */
  readonly uri: string;
  /** Each row of a Scenario Outline is a scenario, at the line of the row. */
  readonly scenarios: readonly { readonly name: string; readonly line: number }[];
}

/** Something wrong at a line of a file. */
export interface Problem {
  readonly line: number;
  /** In one line. */
  readonly text: string;
}

/** A feature file as it was read. */
export interface FeatureFile {
  /** Path within the project. */
  readonly uri: string;
  /** `undefined` if the file cannot be read, or is not Gherkin. */
  readonly document: GherkinDocument | undefined;
  /** Why there is no document: the first fault, of which later ones are often mere echoes. */
  readonly problem?: Problem;
}

/** What the project says of the man pages. */
export interface Specification {
  /** Paths of all feature files within the project. */
  readonly paths: readonly string[];
  readonly rules: readonly FeatureRule[];
  readonly clauses: Clauses;
}

/** Reads clauses and features. @throws {@link HarnessError} at the first file that cannot be read */
export function readSpecification(): Specification {
  return { paths: featurePaths(), rules: featureRules(), clauses: loadClauses() };
}

/** Paths of all feature files within a project, sorted. */
export function featurePaths(project: string = root): string[] {
  return readdirSync(join(project, 'features'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.feature'))
    .map((path) => join('features', path))
    .sort();
}

/** Reads all feature files of a project, also those that are no Gherkin. */
export function readFeatures(project: string = root): FeatureFile[] {
  return featurePaths(project).map((uri) => readFeature(project, uri));
}

/** Feature files by their text, as a command reads them several times. */
const parsed = new Map<string, Omit<FeatureFile, 'uri'>>();

function readFeature(project: string, uri: string): FeatureFile {
  try {
    const text = readFileSync(join(project, uri), 'utf8');
    const file = parsed.get(text) ?? parseFeature(text);
    parsed.set(text, file);
    return { uri, ...file };
  } catch (error) {
    return { uri, document: undefined, problem: problemOf(error) };
  }
}

function parseFeature(text: string): Omit<FeatureFile, 'uri'> {
  const parser = new Parser(new AstBuilder(IdGenerator.incrementing()), new GherkinClassicTokenMatcher());
  try {
    return { document: parser.parse(text) };
  } catch (error) {
    const first: unknown = error instanceof Errors.CompositeParserException ? error.errors[0] : error;
    return { document: undefined, problem: problemOf(first) };
  }
}

/** Gherkin puts line and column in front of its messages. */
function problemOf(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error);
  const line = error instanceof Errors.GherkinException ? error.location.line : 1;
  return { line, text: message.replace(/^\(\d+:\d+\): /, '').replace(/\s+/g, ' ') };
}

/**
 * The rules of all features, in the order of the files.
 *
 * @throws {@link HarnessError} at the first file that cannot be read or is not Gherkin
 */
export function featureRules(): FeatureRule[] {
  const files = readFeatures();
  for (const { uri, problem } of files) {
    if (problem) throw new HarnessError(`${uri}:${problem.line}: ${problem.text}`, 'see `verbspec rules --check`');
  }
  return files.flatMap(rulesOf);
}

/** The rules of a feature file; none if there is no document. */
export function rulesOf({ uri, document }: FeatureFile): FeatureRule[] {
  return rulesIn(document?.feature).map((rule) => featureRule(uri, rule));
}

/** The Rules of a feature. */
export function rulesIn(feature: Feature | undefined): Rule[] {
  return feature?.children.flatMap(({ rule }) => rule ?? []) ?? [];
}

/** All scenarios and outlines of a feature, under a Rule or not. */
export function scenariosIn({ children }: Feature): Scenario[] {
  return children.flatMap(
    ({ scenario, rule }) => scenario ?? rule?.children.flatMap((child) => child.scenario ?? []) ?? [],
  );
}

function featureRule(uri: string, rule: Rule): FeatureRule {
  const scenarios = rule.children.flatMap(({ scenario }) => (scenario ? examplesOf(scenario) : []));
  return { ids: clauseIdsOf(rule.tags), title: rule.name, uri, scenarios };
}

/** An example's name has the cells of its row in it, as Cucumber has it. */
function examplesOf({ name, location, examples }: Scenario): { name: string; line: number }[] {
  if (examples.length === 0) return [{ name, line: location.line }];
  return examples.flatMap(({ tableHeader, tableBody }) =>
    tableBody.map((row) => ({ name: nameOfRow(name, tableHeader, row), line: row.location.line })),
  );
}

function nameOfRow(name: string, header: TableRow | undefined, { cells }: TableRow): string {
  return cells.reduce((text, { value }, index) => {
    const column = header?.cells[index]?.value;
    return column === undefined ? text : text.replaceAll(`<${column}>`, () => value);
  }, name);
}
