import type { Feature, Location, Rule, Tag } from '@cucumber/messages';
import { clauseIdsOf } from '../../catalog/clauses';
import { oneLine } from '../../catalog/plain-text';

/** A feature as its file has it. */
export interface FeatureSource {
  /** Path of its file within the project. */
  readonly uri: string;
  /** What all of its scenarios begin with. */
  readonly background?: string;
  readonly rules: readonly RuleSource[];
}

/** A Rule as its file has it. */
export interface RuleSource {
  readonly ids: readonly string[];
  readonly title: string;
  readonly uri: string;
  readonly line: number;
  /** Its scenarios, as they are written. */
  readonly scenarios: readonly string[];
  /** What it adds to its title. */
  readonly description?: string;
}

/** A part of a feature that other parts follow. */
interface Part {
  readonly location: Location;
  readonly tags?: readonly Tag[];
}

/** Cuts a feature file into its Rules and their scenarios. */
export function featureSource(uri: string, text: string, feature: Feature): FeatureSource {
  const lines = text.split('\n');
  const rules = feature.children.flatMap(({ rule }) => rule ?? []);
  const parts = feature.children.flatMap(({ background, scenario, rule }) => background ?? scenario ?? rule ?? []);
  const background = feature.children.flatMap((child) => child.background ?? [])[0];
  return {
    uri,
    ...(background && { background: sourceOf(background, parts, lines) }),
    rules: rules.map((rule) => ruleSource(rule, uri, lines, startAfter(rule, parts, lines))),
  };
}

function ruleSource(rule: Rule, uri: string, lines: readonly string[], end: number): RuleSource {
  const parts = rule.children.flatMap(({ background, scenario }) => background ?? scenario ?? []);
  const description = oneLine(rule.description);
  return {
    ids: clauseIdsOf(rule.tags),
    title: rule.name,
    uri,
    line: rule.location.line,
    scenarios: parts.map((part) => sourceOf(part, parts, lines.slice(0, end - 1))),
    ...(description !== '' && { description }),
  };
}

/** The lines of a part, without the tags and comments of the next one. */
function sourceOf(part: Part, parts: readonly Part[], lines: readonly string[]): string {
  const own = lines.slice(startOf(part) - 1, startAfter(part, parts, lines) - 1);
  while (/^\s*(?:[#@].*)?$/.test(own.at(-1) ?? 'text')) own.pop();
  const indent = Math.min(...own.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  return own.map((line) => line.slice(indent)).join('\n');
}

function startOf({ location, tags = [] }: Part): number {
  return Math.min(location.line, ...tags.map((tag) => tag.location.line));
}

function startAfter(part: Part, parts: readonly Part[], lines: readonly string[]): number {
  const next = parts.map(startOf).filter((line) => line > part.location.line);
  return Math.min(lines.length + 1, ...next);
}
