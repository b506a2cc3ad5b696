import { UsageError } from '../../drivers/contract';
import { schemaCheck } from '../../catalog/schema';
import type { RuleVerdict, ScenarioVerdict } from '../../catalog/verdict';
import type { RuleEntry, Verdicts } from '../judge/verdicts';
import schema from './baseline.schema.json';
import { conditionsOf, recordedFacts, type DutConditions } from './dut-conditions';
import { scenariosByName } from '../judge/scenario-names';

/** What a rule is known to come to. */
export interface BaselineRule {
  readonly verdict: RuleVerdict;
  readonly pass: number;
  /** The scenarios that did not pass, by name. */
  readonly others?: Readonly<Record<string, ScenarioVerdict>>;
}

/** What a device is known to do; the members are explained in baseline.schema.json. */
export interface Baseline {
  readonly schemaVersion: 1;
  readonly driver: string;
  readonly dut: DutConditions;
  readonly recorded: Readonly<Record<string, string>>;
  readonly capabilities: readonly string[];
  readonly rules: Readonly<Record<string, BaselineRule>>;
}

const departuresFrom = schemaCheck(schema);

/** Reads a baseline. @throws UsageError if the text is none */
export function parseBaseline(text: string, name: string): Baseline {
  const data = parse(text, name);
  const [first] = departuresFrom(data);
  if (first) {
    const where = first.path === '' ? '' : `${first.path} `;
    throw new UsageError(`${name} is no baseline: ${where}${first.text}`, '`verbspec gate --update` writes them');
  }
  return data as Baseline;
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is no JSON: ${error instanceof Error ? error.message.split('\n', 1)[0] : ''}`);
  }
}

/**
 * The baseline that a run makes.
 *
 * @param previous - the one that it replaces, whose choice of conditions stays
 */
export function baselineOf(verdicts: Verdicts, previous?: Baseline): Baseline {
  return {
    schemaVersion: 1,
    driver: verdicts.driver,
    dut: conditionsOf(verdicts, previous?.dut),
    recorded: recordedFacts(verdicts),
    capabilities: [...(verdicts.dut.capabilities ?? [])].sort(),
    rules: Object.fromEntries(
      [...verdicts.rules].sort((one, other) => (one.id < other.id ? -1 : 1)).map((rule) => [rule.id, ruleOf(rule)]),
    ),
  };
}

/** What a run's rule is, as a baseline has it. */
export function ruleOf(rule: Pick<RuleEntry, 'verdict' | 'scenarios'>): BaselineRule {
  const others = [...scenariosByName(rule)].flatMap(([name, { verdict }]): [string, ScenarioVerdict][] =>
    verdict === 'pass' ? [] : [[name, verdict]],
  );
  const pass = rule.scenarios.length - others.length;
  return { verdict: rule.verdict, pass, ...(others.length > 0 && { others: Object.fromEntries(others) }) };
}

/** A baseline as its file has it: sorted, one line a capability and a rule, so that a diff of two tells what changed. */
export function renderBaseline({ rules, capabilities, ...head }: Baseline): string {
  const lines = JSON.stringify({ ...head, capabilities }, undefined, 2)
    .split('\n')
    .slice(0, -1);
  const ruleLines = Object.entries(rules).map(([id, rule]) => `    ${JSON.stringify(id)}: ${spaced(rule)}`);
  return `${lines.join('\n')},\n  "rules": {\n${ruleLines.join(',\n')}\n  }\n}\n`;
}

/** An object in one line, with the blanks that a reader likes. */
function spaced(value: object): string {
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    const text = typeof member === 'object' && member !== null ? spaced(member) : JSON.stringify(member);
    return `${JSON.stringify(name)}: ${text}`;
  });
  return `{ ${members.join(', ')} }`;
}
