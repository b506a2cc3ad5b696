import { writeFileSync } from 'node:fs';
import { UsageError, type Dut } from '../../drivers/contract';
import type { ExpectedCapabilities } from './expected-capabilities';
import { amiss, type RecordedDeviationState } from './match-deviations';
import type { Authority } from '../../catalog/authority';
import { printableJson } from '../../catalog/plain-text';
import { schemaAssertion, type SchemaAssertion } from '../../catalog/schema';
import { failing, type RuleVerdict, type ScenarioVerdict } from '../../catalog/verdict';
import schema from './verdicts.schema.json';

/** The verdicts of one run, `verdicts.json`; the members are explained in verdicts.schema.json. */
export interface Verdicts {
  readonly schemaVersion: 2;
  readonly suite: { readonly version: string; readonly commit: string };
  readonly driver: string;
  readonly dut: Partial<Dut>;
  /** Whether addresses and names of machines stand under pseudonyms. */
  readonly redacted?: true;
  /** What the user calls the run. */
  readonly label?: string;
  /** There where the user expected some. */
  readonly expectedCapabilities?: ExpectedCapabilities;
  readonly startedAt: string;
  readonly durationMs: number;
  /** Why the device was gone for good before the run was through. */
  readonly dutLost?: string;
  readonly order?: string;
  /** Whose rules were selected, where the user named some. */
  readonly authorities?: readonly Authority[];
  readonly rules: readonly RuleEntry[];
  readonly deviations?: readonly DeviationEntry[];
}

/** One clause whose Rule was selected for the run. */
export interface RuleEntry {
  readonly id: string;
  readonly page: string;
  readonly section: string;
  readonly title: string;
  /** The strongest of those of its Gherkin Rule; runs of earlier versions have none. */
  readonly authority?: Authority;
  readonly verdict: RuleVerdict;
  readonly reason?: string;
  /** There where it conforms, and a device that does nothing would too. */
  readonly effectNotShown?: true;
  readonly scenarios: readonly ScenarioEntry[];
}

/** One scenario of a rule. */
export interface ScenarioEntry {
  readonly name: string;
  readonly uri: string;
  readonly line: number;
  readonly verdict: ScenarioVerdict;
  readonly durationMs: number;
  readonly detail?: string;
  /** Steps that a known deviation has kept from running. */
  readonly notRun?: readonly string[];
}

/** What became of a listed deviation. */
export interface DeviationEntry {
  readonly rule: string;
  readonly scenario?: string;
  readonly state: RecordedDeviationState;
  readonly reason: string;
  readonly link: string;
  readonly owner: string;
  readonly expires?: string;
  /** What it takes to show, where that is not always so. */
  readonly showsOnlyIf?: string;
  readonly listedAt?: string;
  readonly detail: string;
}

/** What a caller knows of a run and its messages do not contain. */
export interface RunInfo {
  readonly suite: Verdicts['suite'];
  readonly driver: string;
  /** The options of the run that matter to each scenario, as the shell had them; they stand in no verdicts. */
  readonly options?: readonly string[];
  /** Empty if the set-up failed before the device could be asked. */
  readonly dut: Partial<Dut>;
  readonly redacted?: true;
  /** What the user calls the run. */
  readonly label?: string;
  /** The order that the scenarios ran in, if it was not that of the features: `reverse`, `random:4711`. */
  readonly order?: string;
  /** Whose rules were selected, where the user named some. */
  readonly authorities?: readonly Authority[];
}

const assertVerdicts: SchemaAssertion<Verdicts> = schemaAssertion<Verdicts>(schema);

/** Demands that data is what verdicts.schema.json describes; throws HarnessError otherwise. */
export function assertValid(data: unknown, name = 'verdicts.json'): asserts data is Verdicts {
  assertVerdicts(data, name);
}

/**
 * Reads a verdicts.json.
 *
 * @throws UsageError if it is of another version
 */
export function parseVerdicts(json: string, name = 'verdicts.json'): Verdicts {
  const data: unknown = JSON.parse(json);
  refuseOtherVersion(data, name);
  assertValid(data, name);
  return data;
}

function refuseOtherVersion(data: unknown, name: string): void {
  if (typeof data !== 'object' || data === null || !('schemaVersion' in data)) return;
  const version = data.schemaVersion;
  const known = schema.properties.schemaVersion.const;
  if (typeof version !== 'number' || version === known) return;
  throw new UsageError(
    `${name} is of schema version ${version}, and this verbspec reads version ${known}`,
    version < known ? 'record the run again' : 'use the verbspec that wrote it',
  );
}

/** Writes verdicts.json, after a check against its schema. */
export function writeVerdicts(path: string, verdicts: Verdicts): void {
  assertValid(verdicts, path);
  writeFileSync(path, `${printableJson(verdicts, 2)}\n`);
}

/** The scenarios of a run, each once, though clauses that share a Rule share its scenarios. */
export function scenariosOf({ rules }: Verdicts): ScenarioEntry[] {
  const scenarios = rules.flatMap((rule) => rule.scenarios);
  return [...new Map(scenarios.map((scenario) => [`${scenario.uri}:${scenario.line}`, scenario])).values()];
}

/**
 * The exit code of a run: 0 nothing unexpected, 1 a violation, a scenario that the device blocked, a missing capability or a
 * list of deviations to be fixed, 3 a broken set-up.
 *
 * What the device did outranks what is broken: whoever repeats broken runs until they are whole must not lose it. But a run that
 * lost its device is 3 whatever it found until then: most of it did not run. A run in which no scenario was executed, be
 * it that none was selected or none applies, says nothing of the DUT and is 3. Wrong usage, 2, is not found here: the
 * caller knows it before there is a run.
 *
 * @param problems - what went wrong outside of all scenarios, one line each
 */
export function exitCode(verdicts: Verdicts, problems: readonly string[] = []): 0 | 1 | 3 {
  if (verdicts.dutLost !== undefined) return 3;
  const scenarios = scenariosOf(verdicts).map((scenario) => scenario.verdict);
  const isMissing = (verdicts.expectedCapabilities?.missing.length ?? 0) > 0;
  if (isMissing || scenarios.some((verdict) => failing.has(verdict))) return 1;
  const executed = scenarios.filter((verdict) => verdict !== 'not-applicable');
  if (executed.length > 0 && verdicts.deviations?.some(({ state }) => amiss.has(state)) === true) return 1;
  return problems.length > 0 || executed.length === 0 || executed.includes('broken') ? 3 : 0;
}
