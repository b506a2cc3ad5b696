import { comparedText, isList, isStruct, type Data } from '../drivers/contract';
import { matchesWildcards } from './wildcards';

/** How a listed deviation shows: by a verdict, or by what a check compared; explained in deviations.schema.json. */
export type Symptom = 'crash' | 'hang' | 'panic' | ComparedSymptom;

/** The symptoms of an entry that has one or several. */
export function symptomsOf({ symptom }: { readonly symptom: Symptom | readonly Symptom[] }): readonly Symptom[] {
  return [symptom].flat();
}

/** Patterns for the members of a failure; one that is left out is not looked at. */
export interface ComparedSymptom {
  readonly step?: string;
  readonly subject: string;
  readonly expected?: Data;
  readonly observed?: Data;
}

/** What a symptom is looked for in: a step and what it compared, or, where an error had no values, its words as the subject. */
export interface Failure {
  readonly step: string;
  readonly subject: string;
  readonly expected?: Data;
  readonly observed?: Data;
}

/** Whether a failure shows the symptom. */
export function showsIn(symptom: ComparedSymptom, { step, subject, expected, observed }: Failure): boolean {
  return (
    matchesWildcards(symptom.step ?? '*', step) &&
    matchesWildcards(symptom.subject, subject) &&
    (symptom.expected === undefined || matches(symptom.expected, expected)) &&
    (symptom.observed === undefined || matches(symptom.observed, observed))
  );
}

/** What an entry lists in one line, as failures are worded. */
export function symptomText(symptom: Symptom | readonly Symptom[]): string {
  return symptomsOf({ symptom }).map(wordsOf).join('" and "');
}

function wordsOf(symptom: Symptom): string {
  if (typeof symptom === 'string') return symptom;
  const { step, subject, expected, observed } = symptom;
  const where = step === undefined ? subject : `${step}: ${subject}`;
  const values = Object.entries({ expected, observed }).filter(([, pattern]) => pattern !== undefined);
  const sides = values.map(([name, pattern]) => `${name} ${comparedText(pattern)}`).join(', ');
  return sides === '' ? where : `${where}; ${sides}`;
}

/**
 * Whether data is as a pattern says: the same value; for a string, one that its wildcards let through; of a list each item
 * and of a struct each member, none more and none less. `*` stands for any value, `{"anyOf": [...]}` for several.
 */
function matches(pattern: Data | undefined, data: Data | undefined): boolean {
  if (pattern === '*') return data !== undefined;
  if (typeof pattern === 'string') return typeof data === 'string' && matchesWildcards(pattern, data);
  if (isList(pattern)) return isList(data) && matchesItems(pattern, data);
  if (!isStruct(pattern)) return pattern === data;
  const choices = choicesOf(pattern);
  if (choices !== undefined) return choices.some((choice) => matches(choice, data));
  return isStruct(data) && matchesMembers(pattern, data);
}

function matchesItems(patterns: readonly Data[], items: readonly Data[]): boolean {
  return patterns.length === items.length && patterns.every((pattern, index) => matches(pattern, items[index]));
}

type Struct = Readonly<Record<string, Data | undefined>>;

function matchesMembers(patterns: Struct, members: Struct): boolean {
  const names = Object.keys(patterns);
  const isComplete = Object.keys(members).every((name) => names.includes(name));
  return isComplete && names.every((name) => Object.hasOwn(members, name) && matches(patterns[name], members[name]));
}

function choicesOf(pattern: Struct): readonly Data[] | undefined {
  const { anyOf, ...others } = pattern;
  return isList(anyOf) && Object.keys(others).length === 0 ? anyOf : undefined;
}
