import { basename } from 'node:path';
import type { Feature, Scenario, Tag } from '@cucumber/messages';
import { capabilities, capabilityGroups, nearest, rdmaCoreNeed } from '../../drivers/contract';
import type { Clauses } from '../../catalog/clauses';
import { rulesIn, scenariosIn, type Problem } from '../inputs/features';

/** What a feature's tags are compared with. */
interface TagContext {
  readonly page: string;
  readonly pages: ReadonlySet<string>;
  readonly clauses: Clauses;
}

/** What may carry tags. */
type Holder = 'Feature' | 'Rule' | 'Scenario' | 'Examples';

/** Tags that mean nothing, or mean nothing where they stand: they would be passed over in silence. */
export function tagProblems(feature: Feature, uri: string, clauses: Clauses): Problem[] {
  const pages = new Set([...clauses.values()].map(({ page }) => page));
  const context = { page: pageOf(feature, uri, pages), pages, clauses };
  const check = (tags: readonly Tag[], holder: Holder): Problem[] =>
    tags.flatMap(({ name, location }) => {
      const text = problemOf(name.slice(1), holder, context);
      return text === undefined ? [] : [{ line: location.line, text }];
    });
  const checkScenario = ({ tags, examples }: Scenario): Problem[] => [
    ...check(tags, 'Scenario'),
    ...examples.flatMap((table) => check(table.tags, 'Examples')),
  ];
  return [
    ...pageTagProblems(feature, uri, context),
    ...check(feature.tags, 'Feature'),
    ...rulesIn(feature).flatMap(({ tags }) => check(tags, 'Rule')),
    ...scenariosIn(feature).flatMap(checkScenario),
  ];
}

/** The page that a feature is about: that of its tag, or else of its name. */
function pageOf({ tags }: Feature, uri: string, pages: ReadonlySet<string>): string {
  const tagged = tags.map(({ name }) => name.slice(1)).find((name) => pages.has(name));
  return tagged ?? basename(uri, '.feature');
}

function pageTagProblems({ tags, location }: Feature, uri: string, { page, pages }: TagContext): Problem[] {
  const file = basename(uri, '.feature');
  const tag = tags.find(({ name }) => name === `@${page}`);
  if (tag === undefined) {
    const remedy = pages.has(file) ? `put @${file} above it` : 'tag it with its page and name the file after that';
    return [{ line: location.line, text: `the Feature has no tag of its page; ${remedy}` }];
  }
  if (page === file) return [];
  const text = `the page of the tag @${page} is not the name of the file; name both after the man page`;
  return [{ line: tag.location.line, text }];
}

function problemOf(name: string, holder: Holder, { page, pages, clauses }: TagContext): string | undefined {
  if (name === page && pages.has(page)) return undefined;
  if (name.startsWith('needs.')) return needsProblem(name.slice('needs.'.length));
  const clause = clauses.get(name);
  if (clause === undefined) return unknownTag(name, holder, page, [...clauses.keys(), ...pages]);
  if (holder !== 'Rule') return `@${name} stands on ${articles[holder]}; a clause id belongs on its Rule`;
  if (clause.page === page) return undefined;
  return `@${name} is a clause of another page than ${page}; move the Rule to the feature of ${clause.page}`;
}

const articles: Readonly<Record<Holder, string>> = {
  Feature: 'a Feature',
  Rule: 'a Rule',
  Scenario: 'a Scenario',
  Examples: 'Examples',
};

function needsProblem(capability: string): string | undefined {
  const known: readonly string[] = [...capabilities, ...Object.keys(capabilityGroups)];
  if (known.includes(capability) || rdmaCoreNeed.test(capability)) return undefined;
  return `unknown capability in @needs.${capability}; the capabilities are ${known.join(', ')}`;
}

function unknownTag(name: string, holder: Holder, page: string, known: readonly string[]): string {
  const what = name.includes('.') ? 'unknown clause id' : 'unknown tag';
  const near = nearest(name, known);
  if (near !== undefined) return `${what} @${name}; did you mean @${near}?`;
  const remedy = holder === 'Rule' ? `\`verbspec rules ${page}\` lists the ids of the page` : 'remove it';
  return `${what} @${name}; ${remedy}`;
}
