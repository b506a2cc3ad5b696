import { HarnessError, type Dut } from '../drivers/contract';
import type { Clauses } from './clauses';
import schema from './deviations.schema.json';
import { schemaAssertion, type SchemaAssertion } from './schema';
import { violations, type ScenarioVerdict } from './verdict';
import { inVersionRange, parseRange } from './version-range';

/** A known departure of some DUTs from a rule; the members are explained in deviations.schema.json. */
export interface Deviation {
  readonly rule: string;
  readonly scenario?: string;
  readonly when: {
    readonly driver?: string;
    readonly provider?: string;
    readonly kernel?: string;
    readonly rdmaCore?: string;
  };
  readonly symptom: string;
  readonly reason: string;
  readonly link: string;
}

/** What the conditions of a deviation are held against. */
export interface Conditions {
  readonly driver: string;
  readonly dut: Partial<Dut>;
}

/** A scenario as the list of deviations sees it. */
export interface Candidate {
  readonly verdict: ScenarioVerdict;
  /** What failed, in one line; empty for a pass. */
  readonly detail: string;
  readonly name: string;
  /** Ids of the clauses that its Rule carries. */
  readonly clauseIds: readonly string[];
  /** Whether all scenarios of its Rule were selected for the run. */
  readonly ruleIsComplete: boolean;
}

/** What the list of deviations says of one scenario. */
export type Match = { readonly kind: 'deviates' | 'surprise'; readonly deviation: Deviation } | undefined;

const assertDeviations: SchemaAssertion<Deviation[]> = schemaAssertion<Deviation[]>(schema);

/**
 * Checks a list of deviations: its schema, that its rules exist, that its ranges and regular expressions can be read.
 *
 * @param name - what the list is called in error messages
 * @throws {@link HarnessError} at the first defect
 */
export function parseDeviations(data: unknown, name: string, clauses: Clauses): Deviation[] {
  assertDeviations(data, name);
  for (const { rule, when, symptom } of data) {
    if (!clauses.has(rule)) throw new HarnessError(`${name}: there is no rule ${rule}`);
    for (const range of [when.kernel, when.rdmaCore]) if (range !== undefined) parseRange(range);
    compileSymptom(symptom, `${name}: ${rule}`);
  }
  return data;
}

/**
 * Holds scenarios against the list of deviations.
 *
 * A failure that shows as an entry says `deviates`. An entry that could have shown and did not makes the scenarios
 * that passed a `surprise`, unless one of them failed otherwise or broke: that is in sight already, and may have hidden
 * it. An entry without a scenario's name needs all scenarios of its rule, so a partial run makes no surprise of it.
 *
 * @returns the matches, in the order of the scenarios
 */
export function matchDeviations(
  candidates: readonly Candidate[],
  deviations: readonly Deviation[],
  conditions: Conditions,
): Match[] {
  const relevant = deviations.filter((deviation) => appliesTo(deviation, conditions));
  const overdue = relevant.filter((deviation) => isOverdue(deviation, candidates));
  return candidates.map((candidate): Match => {
    const shown = relevant.find((deviation) => shows(deviation, candidate));
    if (shown) return { kind: 'deviates', deviation: shown };
    if (candidate.verdict !== 'pass') return undefined;
    const missed = overdue.find((deviation) => covers(deviation, candidate));
    return missed && { kind: 'surprise', deviation: missed };
  });
}

/** Whether all conditions of an entry hold; one on something the DUT does not tell never does. */
export function appliesTo({ when }: Deviation, { driver, dut }: Conditions): boolean {
  return (
    (when.driver === undefined || when.driver === driver) &&
    (when.provider === undefined || when.provider === dut.provider) &&
    (when.kernel === undefined || inVersionRange(dut.kernel ?? '', when.kernel)) &&
    (when.rdmaCore === undefined || inVersionRange(dut.rdmaCore ?? '', when.rdmaCore))
  );
}

function covers(deviation: Deviation, candidate: Candidate): boolean {
  return (
    candidate.clauseIds.includes(deviation.rule) &&
    (deviation.scenario === undefined || deviation.scenario === candidate.name)
  );
}

function shows(deviation: Deviation, candidate: Candidate): boolean {
  if (!covers(deviation, candidate) || !violations.has(candidate.verdict)) return false;
  if (isVerdictSymptom(deviation.symptom)) return candidate.verdict === deviation.symptom;
  return compileSymptom(deviation.symptom, deviation.rule).test(candidate.detail);
}

function isOverdue(deviation: Deviation, candidates: readonly Candidate[]): boolean {
  const covered = candidates.filter((candidate) => covers(deviation, candidate));
  const allClear = covered.every(({ verdict }) => verdict === 'pass' || verdict === 'not-applicable');
  const complete = deviation.scenario !== undefined || covered.every((candidate) => candidate.ruleIsComplete);
  return allClear && complete;
}

function isVerdictSymptom(symptom: string): boolean {
  return symptom === 'crash' || symptom === 'hang' || symptom === 'panic';
}

function compileSymptom(symptom: string, where: string): RegExp {
  try {
    return new RegExp(symptom);
  } catch (error) {
    throw new HarnessError(`${where}: the symptom is no regular expression: ${String(error)}`);
  }
}
