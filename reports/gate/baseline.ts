import { UsageError } from '../../drivers/contract';
import { schemaCheck } from '../../catalog/schema';
import type { RuleVerdict, ScenarioVerdict } from '../../catalog/verdict';
import type { RuleEntry, Verdicts } from '../judge/verdicts';
import schema from './baseline.schema.json';
import { conditionsOf, recordedFacts, type DutConditions } from './dut-conditions';
import { countPages, type PageCounts } from './page-counts';
import { scenariosByName } from '../judge/scenario-names';

/** What is known of a rule that does not conform, or not in all its scenarios. */
export interface RuleException {
  readonly verdict: RuleVerdict;
  readonly pass: number;
  /** The scenarios that did not pass, by name. */
  readonly others: Readonly<Record<string, ScenarioVerdict>>;
}

/** What a device is known to do; the members are explained in baseline.schema.json. */
export interface Baseline {
  readonly schemaVersion: 2;
  readonly driver: string;
  readonly dut: DutConditions;
  readonly recorded: Readonly<Record<string, string>>;
  readonly capabilities: readonly string[];
  /** By man page. */
  readonly counts: Readonly<Record<string, PageCounts>>;
  /** By rule; all other rules with scenarios conform. */
  readonly exceptions: Readonly<Record<string, RuleException>>;
}

/** What an update keeps of a baseline of version 1, which listed all rules. */
export interface OldBaseline {
  readonly schemaVersion: 1;
  readonly driver: string;
  readonly dut: DutConditions;
}

const departuresFrom = schemaCheck(schema);
const departuresFromOld = schemaCheck({
  type: 'object',
  required: ['driver', 'dut', 'recorded', 'rules'],
  properties: { driver: schema.properties.driver, dut: schema.properties.dut, rules: { type: 'object' } },
});

/** Reads a baseline. @throws UsageError if the text is none */
export function parseBaseline(text: string, name: string): Baseline {
  const baseline = parseAnyBaseline(text, name);
  if (baseline.schemaVersion === 2) return baseline;
  const remedy = `\`verbspec gate --baseline ${name} --update RUN\` rewrites it and keeps its "dut"`;
  throw new UsageError(`${name} is a baseline of schema version 1, and this verbspec reads version 2`, remedy);
}

/** Reads a baseline that is to be replaced. @throws UsageError if the text is none */
export function parseAnyBaseline(text: string, name: string): Baseline | OldBaseline {
  const data = parse(text, name);
  const isOld = typeof data === 'object' && data !== null && 'schemaVersion' in data && data.schemaVersion === 1;
  const [first] = isOld ? departuresFromOld(data) : departuresFrom(data);
  if (first) {
    const where = first.path === '' ? '' : `${first.path} `;
    throw new UsageError(`${name} is not a baseline: ${where}${first.text}`, '`verbspec gate --update` writes them');
  }
  return data as Baseline | OldBaseline;
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is not valid JSON: ${error instanceof Error ? error.message.split('\n', 1)[0] : ''}`);
  }
}

/**
 * The baseline that a run makes.
 *
 * @param previous - the one that it replaces, whose choice of conditions stays
 */
export function baselineOf(verdicts: Verdicts, previous?: Pick<Baseline, 'dut'>): Baseline {
  const rules = [...verdicts.rules].sort((one, other) => (one.id < other.id ? -1 : 1));
  return {
    schemaVersion: 2,
    driver: verdicts.driver,
    dut: conditionsOf(verdicts, previous?.dut),
    recorded: recordedFacts(verdicts),
    capabilities: [...(verdicts.dut.capabilities ?? [])].sort(),
    counts: Object.fromEntries(countPages(rules)),
    exceptions: Object.fromEntries(
      rules
        .map((rule) => [rule.id, standingOf(rule)] as const)
        .filter(([, { others }]) => Object.keys(others).length > 0),
    ),
  };
}

/** How a rule of a run stands, in the words of a baseline. */
export function standingOf(rule: Pick<RuleEntry, 'verdict' | 'scenarios'>): RuleException {
  const others = [...scenariosByName(rule)].flatMap(([name, { verdict }]): [string, ScenarioVerdict][] =>
    verdict === 'pass' ? [] : [[name, verdict]],
  );
  return { verdict: rule.verdict, pass: rule.scenarios.length - others.length, others: Object.fromEntries(others) };
}

/** A baseline as its file has it: sorted, one line per page and exception, so that a diff of two shows what changed. */
export function renderBaseline({ counts, exceptions, ...head }: Baseline): string {
  const lines = JSON.stringify(head, undefined, 2).split('\n').slice(0, -1);
  return `${lines.join('\n')},\n  "counts": ${listed(counts)},\n  "exceptions": ${listed(exceptions)}\n}\n`;
}

function listed(record: Readonly<Record<string, object>>): string {
  const lines = Object.entries(record).map(([name, value]) => `    ${JSON.stringify(name)}: ${spaced(value)}`);
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
}

/** An object in one line, with the blanks that a reader likes. */
function spaced(value: object): string {
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    const text = typeof member === 'object' && member !== null ? spaced(member) : JSON.stringify(member);
    return `${JSON.stringify(name)}: ${text}`;
  });
  return `{ ${members.join(', ')} }`;
}
