import {
  HookType,
  PickleStepType,
  type Attachment,
  type Envelope,
  type Hook,
  type Pickle,
  type Rule,
  type TestCase,
  type TestCaseStarted,
  type TestStep,
  type TestStepResult,
} from '@cucumber/messages';
import { GherkinIndex, type ExampleRow, type ScenarioPlace } from './gherkin-index';
import { epochMs } from './messages';
import { recordedSpan, runProblems } from './run-span';

/** A step or hook of an attempt, in the order of execution. */
export interface RecordedStep {
  readonly kind: 'before-hook' | 'given' | 'step' | 'after-hook';
  readonly testStepId: string;
  /** The step as it is written, or the name of the hook. */
  readonly title: string;
  /** `undefined` if the run ended before the step did. */
  readonly result: TestStepResult | undefined;
}

/** One execution of a scenario; a retried scenario has several. */
export interface RecordedAttempt {
  readonly testCaseStartedId: string;
  /** Milliseconds since the epoch. */
  readonly startMs: number;
  /** Milliseconds since the epoch; `undefined` if the run ended before the attempt did. */
  readonly stopMs: number | undefined;
  readonly steps: readonly RecordedStep[];
  readonly attachments: readonly Attachment[];
}

/** A scenario, or one example of a Scenario Outline, that the run had selected. */
export interface RecordedScenario {
  readonly testCaseId: string;
  /** Path of the feature file as the run knew it, with forward slashes. */
  readonly uri: string;
  /** Line of the scenario, or of the example's row. */
  readonly line: number;
  readonly name: string;
  readonly place: ScenarioPlace | undefined;
  readonly row: ExampleRow | undefined;
  /** None if the run ended before the scenario began. */
  readonly attempts: readonly RecordedAttempt[];
}

/** A Rule of a feature that the run read, whether or not it was selected. */
export interface RecordedRule {
  readonly rule: Rule;
  /** Path of its feature file. */
  readonly uri: string;
  /** The names of all scenarios under it, selected or not; examples of an outline may share theirs. */
  readonly scenarioNames: readonly string[];
}

/** A feature that the run read. */
export interface RecordedFeature {
  /** Path of its file. */
  readonly uri: string;
  /** Whether the run had selected every scenario of it. */
  readonly isWhole: boolean;
}

/** What the messages of one run say, before anybody judges it. */
export interface RecordedRun {
  /** Milliseconds since the epoch; 0 if no message has a time. */
  readonly startMs: number;
  /** The end, or the last sign of life of a run that was killed. */
  readonly stopMs: number;
  /** In the order of the features, whatever order they ran in. */
  readonly scenarios: readonly RecordedScenario[];
  readonly features: readonly RecordedFeature[];
  /** By the id of the Rule's node, in the order of the features. */
  readonly rules: ReadonlyMap<string, RecordedRule>;
  /** What went wrong outside of all scenarios: a BeforeAll hook, a feature that cannot be parsed. */
  readonly problems: readonly string[];
}

/** Reads the messages of one run. */
export function readRun(envelopes: readonly Envelope[]): RecordedRun {
  const gherkin = new GherkinIndex(envelopes);
  const pickles = new Map<string, Pickle>();
  for (const { pickle } of envelopes) if (pickle) pickles.set(pickle.id, pickle);
  const attempts = new AttemptReader(envelopes, gherkin, pickles);
  const testCases = new Map(envelopes.flatMap(({ testCase }) => (testCase ? [[testCase.pickleId, testCase]] : [])));
  const scenarios = [...pickles.values()].flatMap((pickle) => {
    const testCase = testCases.get(pickle.id);
    return testCase ? [readScenario(testCase, pickle, gherkin, attempts.of(testCase))] : [];
  });
  return {
    ...recordedSpan(envelopes),
    scenarios,
    features: readFeatures(envelopes, [...pickles.values()], gherkin),
    rules: readRules([...pickles.values()], gherkin),
    problems: runProblems(envelopes),
  };
}

function readScenario(
  { id }: TestCase,
  pickle: Pickle,
  gherkin: GherkinIndex,
  attempts: readonly RecordedAttempt[],
): RecordedScenario {
  const place = gherkin.placeOf(pickle);
  const row = gherkin.rowOf(pickle);
  const line = row?.line ?? place?.scenario.location.line ?? 0;
  return { testCaseId: id, uri: pickle.uri.replaceAll('\\', '/'), line, name: pickle.name, place, row, attempts };
}

function readFeatures(
  envelopes: readonly Envelope[],
  pickles: readonly Pickle[],
  gherkin: GherkinIndex,
): RecordedFeature[] {
  const selected = new Set(envelopes.map(({ testCase }) => testCase?.pickleId));
  const inParts = new Set(pickles.flatMap(({ id, uri }) => (selected.has(id) ? [] : [uri])));
  return gherkin.features.map((uri) => ({ uri, isWhole: !inParts.has(uri) }));
}

function readRules(pickles: readonly Pickle[], gherkin: GherkinIndex): Map<string, RecordedRule> {
  const names = new Map<string, string[]>();
  for (const pickle of pickles) push(names, gherkin.placeOf(pickle)?.rule?.id ?? '', pickle.name);
  return new Map(
    gherkin.rules.map(({ uri, rule }) => [rule.id, { rule, uri, scenarioNames: names.get(rule.id) ?? [] }]),
  );
}

/** Gathers what belongs to each execution of a scenario; the messages of parallel scenarios interleave. */
class AttemptReader {
  readonly #started = new Map<string, TestCaseStarted[]>();
  readonly #stopMs = new Map<string, number>();
  readonly #results = new Map<string, Map<string, TestStepResult>>();
  readonly #attachments = new Map<string, Attachment[]>();
  readonly #hooks = new Map<string, Hook>();
  readonly #pickleSteps = new Map<string, { readonly title: string; readonly isGiven: boolean }>();

  constructor(envelopes: readonly Envelope[], gherkin: GherkinIndex, pickles: ReadonlyMap<string, Pickle>) {
    for (const envelope of envelopes) this.#add(envelope);
    for (const { steps } of pickles.values()) {
      for (const step of steps) {
        const isGiven = step.type === PickleStepType.CONTEXT;
        const keyword = gherkin.stepOf(step.astNodeIds)?.keyword ?? '';
        this.#pickleSteps.set(step.id, { title: keyword + step.text, isGiven });
      }
    }
  }

  of(testCase: TestCase): RecordedAttempt[] {
    return (this.#started.get(testCase.id) ?? []).map(({ id, timestamp }) => ({
      testCaseStartedId: id,
      startMs: epochMs(timestamp),
      stopMs: this.#stopMs.get(id),
      steps: this.#stepsOf(testCase, this.#results.get(id) ?? new Map<string, TestStepResult>()),
      attachments: this.#attachments.get(id) ?? [],
    }));
  }

  #add({ testCaseStarted, testCaseFinished, testStepFinished, attachment, hook }: Envelope): void {
    if (testCaseStarted) push(this.#started, testCaseStarted.testCaseId, testCaseStarted);
    if (testCaseFinished) this.#stopMs.set(testCaseFinished.testCaseStartedId, epochMs(testCaseFinished.timestamp));
    if (attachment?.testCaseStartedId) push(this.#attachments, attachment.testCaseStartedId, attachment);
    if (hook) this.#hooks.set(hook.id, hook);
    if (testStepFinished) {
      const { testCaseStartedId, testStepId, testStepResult } = testStepFinished;
      const results = this.#results.get(testCaseStartedId) ?? new Map<string, TestStepResult>();
      this.#results.set(testCaseStartedId, results.set(testStepId, testStepResult));
    }
  }

  /** Hooks before the first step of the scenario are Before hooks, all others are After hooks. */
  #stepsOf({ testSteps }: TestCase, results: ReadonlyMap<string, TestStepResult>): RecordedStep[] {
    const firstStep = testSteps.findIndex((step) => step.pickleStepId !== undefined);
    return testSteps.map((step, index) => {
      const isBefore = firstStep < 0 ? this.#isBeforeHook(step) : index < firstStep;
      const kind = this.#kindOf(step) ?? (isBefore ? 'before-hook' : 'after-hook');
      return { kind, testStepId: step.id, title: this.#titleOf(step, kind), result: results.get(step.id) };
    });
  }

  #kindOf({ pickleStepId }: TestStep): 'given' | 'step' | undefined {
    if (pickleStepId === undefined) return undefined;
    return this.#pickleSteps.get(pickleStepId)?.isGiven === true ? 'given' : 'step';
  }

  #isBeforeHook(step: TestStep): boolean {
    return this.#hooks.get(step.hookId ?? '')?.type === HookType.BEFORE_TEST_CASE;
  }

  #titleOf(step: TestStep, kind: RecordedStep['kind']): string {
    if (step.pickleStepId !== undefined) return this.#pickleSteps.get(step.pickleStepId)?.title ?? '';
    const hook = this.#hooks.get(step.hookId ?? '');
    return `${kind === 'before-hook' ? 'Before' : 'After'} hook ${hookName(hook)}`.trim();
  }
}

/** The name of a hook in quotes, or where it is defined. */
export function hookName(hook: Hook | undefined): string {
  if (hook?.name) return `"${hook.name}"`;
  const source = hook?.sourceReference;
  if (source?.uri === undefined) return '';
  return `(${source.uri.replaceAll('\\', '/')}${source.location ? `:${source.location.line}` : ''})`;
}

function push<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
