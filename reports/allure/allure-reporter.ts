import {
  TestStepResultStatus as StepStatus,
  type Attachment,
  type Hook,
  type Rule,
  type Step,
  type TestCaseFinished,
  type TestCaseStarted,
  type TestStepResult,
} from '@cucumber/messages';
import AllureCucumberReporter from 'allure-cucumberjs/reporter';
import { Status, Stage, type TestResult } from 'allure-js-commons';
import type { ReporterRuntime, Writer } from 'allure-js-commons/sdk/reporter';
import type { EventEmitter } from 'node:events';
import type { Cause } from '../diagnosis/causes';
import { causeWords, identityOf, labelsOf, linksOf, statusOf, titlePathOf } from './allure-metadata';
import { attachedFiles } from './allure-attachments';
import type { Clauses } from '../../catalog/clauses';
import { clausesOf, explain, explainInLine, ruleInWords } from '../evidence/explain';
import { faultWords, type FaultEvidence } from '../judge/fault-evidence';
import type { JudgedScenario } from '../judge/judged-run';
import type { RunInfo } from '../judge/verdicts';
import { epochMs } from '../recording/messages';
import { verdictOfError } from '../judge/outcome';
import { hookName } from '../recording/recorded-run';
import { traceOf } from '../evidence/recorded-trace';
import { renderTrace } from '../evidence/trace-text';
import { failing } from '../../catalog/verdict';

/** The private parts of the reporter that are used or replaced here; its version is pinned for that reason. */
interface ReporterInternals {
  readonly allureRuntime: ReporterRuntime;
  readonly testResultUuids: Map<string, string>;
  readonly scopeUuids: Map<string, string>;
  readonly fixtureUuids: Map<string, string>;
  readonly stepMap: Map<string, Step>;
  onRule(rule: Rule): void;
  onTestCaseStarted(started: TestCaseStarted): void;
  onTestCaseFinished(finished: TestCaseFinished): void;
  onAttachment(attachment: Attachment): void;
  parseStatus(result: TestStepResult): Status | undefined;
}

/** What the reporter reads of Cucumber's formatter options. */
interface ReporterOptions {
  readonly parsedArgvOptions: object;
  readonly eventBroadcaster: EventEmitter;
  readonly supportCodeLibrary: object;
}

const Reporter = AllureCucumberReporter as unknown as new (options: ReporterOptions) => ReporterInternals;

/** Where the results of a run go and what they are to say. */
export interface AllureSetup {
  readonly writer: Writer;
  readonly clauses: Clauses;
  readonly info: RunInfo;
  readonly environment: Record<string, string>;
  readonly categories: readonly object[];
  readonly hooks: readonly Hook[];
  /** The attempts to report, by the id of their start; all others have to be kept from the reporter. */
  readonly scenarios: ReadonlyMap<string, JudgedScenario>;
  /** Last calls of the trace that are shown beside the message. */
  readonly callsShownMax: number;
  readonly faults?: FaultEvidence;
  /** What failures look like. */
  readonly causes: readonly Cause[];
}

/**
 * Allure's reporter for Cucumber, fed with the messages of a recorded run, and fixed: the status is the verdict, names
 * are unique, labels name family, page and rule, and the evidence stands with the scenario.
 */
export class AllureReporter extends Reporter {
  readonly #setup: AllureSetup;

  constructor(eventBroadcaster: EventEmitter, setup: AllureSetup) {
    const { writer, environment, categories, hooks } = setup;
    super({
      eventBroadcaster,
      parsedArgvOptions: {
        writer,
        environmentInfo: environment,
        categories: categories.map((category) => ({ ...category })),
      },
      supportCodeLibrary: supportCodeLibrary(hooks),
    });
    this.#setup = setup;
  }

  /** Steps of a Rule's Background would lack their keyword. */
  override onRule(rule: Rule): void {
    super.onRule(rule);
    for (const step of rule.children.flatMap((child) => child.background?.steps ?? [])) this.stepMap.set(step.id, step);
  }

  override onTestCaseStarted(started: TestCaseStarted): void {
    super.onTestCaseStarted(started);
    const { clauses, info } = this.#setup;
    const { driver } = info;
    this.#update(started.id, (result, scenario) => {
      const own = clausesOf(scenario, clauses);
      Object.assign(result, identityOf(scenario, driver), {
        titlePath: titlePathOf(scenario, own),
        description: [...ruleInWords(scenario), ...this.#faultsOf(scenario)].map(escapeMarkdown).join('\n\n'),
        labels: labelsOf(scenario, own, driver),
        links: linksOf(scenario, own),
      });
    });
  }

  override onTestCaseFinished({ testCaseStartedId, timestamp }: TestCaseFinished): void {
    const uuid = this.testResultUuids.get(testCaseStartedId);
    if (uuid === undefined) return;
    const stop = epochMs(timestamp);
    this.#stopUnfinished(testCaseStartedId, uuid, stop);
    this.#update(testCaseStartedId, (result, scenario) => {
      result.status = statusOf[scenario.verdict];
      result.stage = Stage.FINISHED;
      const message = this.#messageOf(scenario);
      const trace = this.#traceOf(scenario);
      result.statusDetails = { ...(message !== undefined && { message, ...(trace !== '' && { trace }) }) };
    });
    this.allureRuntime.stopTest(uuid, { stop });
    this.allureRuntime.writeTest(uuid);
    this.testResultUuids.delete(testCaseStartedId);
    const scope = this.scopeUuids.get(testCaseStartedId);
    if (scope !== undefined) this.allureRuntime.writeScope(scope);
    this.scopeUuids.delete(testCaseStartedId);
  }

  /** The evidence of hooks belongs to the scenario; other attachments stay where they were made. */
  override onAttachment(attachment: Attachment): void {
    const id = attachment.testCaseStartedId ?? '';
    const test = this.testResultUuids.get(id);
    if (test === undefined) return;
    const attempt = this.#setup.scenarios.get(id)?.outcome.attempt;
    for (const { name, content, contentType, fileExtension, isEvidence } of attachedFiles(attachment, attempt)) {
      const root = isEvidence ? test : (this.fixtureUuids.get(id) ?? test);
      const parent = isEvidence ? null : undefined;
      this.allureRuntime.writeAttachment(root, parent, name, content, { contentType, fileExtension });
    }
  }

  /** An unfinished step is broken, and the class of an error decides, not words in its text. */
  override parseStatus({ status, exception }: TestStepResult): Status {
    if (status === StepStatus.PASSED) return Status.PASSED;
    if (status === StepStatus.SKIPPED) return Status.SKIPPED;
    if (status !== StepStatus.FAILED) return Status.BROKEN;
    return failing.has(verdictOfError(exception?.type ?? '', 'step')) ? Status.FAILED : Status.BROKEN;
  }

  /** One line, as categories list it; they sort by its end. */
  #messageOf(scenario: JudgedScenario): string | undefined {
    const message = explainInLine(scenario);
    const { uri, line } = scenario.recorded;
    const cause = this.#setup.causes.find(({ scenarios }) =>
      scenarios.some((one) => one.uri === uri && one.line === line),
    );
    return message === undefined || cause === undefined ? message : `${message}${causeWords(cause)}`;
  }

  #faultsOf({ clauseIds }: JudgedScenario): string[] {
    const { faults } = this.#setup;
    return faults === undefined ? [] : [faultWords(faults, clauseIds) ?? []].flat();
  }

  #update(testCaseStartedId: string, change: (result: TestResult, scenario: JudgedScenario) => void): void {
    const uuid = this.testResultUuids.get(testCaseStartedId);
    const scenario = this.#setup.scenarios.get(testCaseStartedId);
    if (uuid === undefined || scenario === undefined) return;
    this.allureRuntime.updateTest(uuid, (result) => {
      change(result, scenario);
    });
  }

  /** The run ended within a step or hook. */
  #stopUnfinished(testCaseStartedId: string, test: string, stop: number): void {
    const step = this.allureRuntime.currentStep(test);
    if (step !== undefined) {
      this.allureRuntime.updateStep(step, (result) => (result.status = Status.BROKEN));
      this.allureRuntime.stopStep(step, { stop });
    }
    const fixture = this.fixtureUuids.get(testCaseStartedId);
    if (fixture === undefined) return;
    this.allureRuntime.updateFixture(fixture, (result) => (result.status = Status.BROKEN));
    this.allureRuntime.stopFixture(fixture, { stop });
    this.fixtureUuids.delete(testCaseStartedId);
  }

  /** What the message leaves out, and the last calls. */
  #traceOf(scenario: JudgedScenario): string {
    const { outcome } = scenario;
    const explanation = explain(scenario, this.#setup.clauses, this.#setup.info) ?? '';
    const calls = renderTrace(traceOf(outcome.attempt), { lastMax: this.#setup.callsShownMax });
    const stacks = outcome.findings.flatMap(({ stack }) => stack ?? []);
    return [explanation, calls.join('\n'), ...stacks].filter((part) => part !== '').join('\n\n');
  }
}

/** The part of Cucumber's support code that the reporter asks for: which hooks run before a scenario and which after. */
function supportCodeLibrary(hooks: readonly Hook[]): object {
  const definitions = (type: string): object[] =>
    hooks
      .filter((hook) => String(hook.type) === type)
      .map((hook) => ({ id: hook.id, name: hook.name ?? hookName(hook) }));
  return {
    beforeTestCaseHookDefinitions: definitions('BEFORE_TEST_CASE'),
    afterTestCaseHookDefinitions: definitions('AFTER_TEST_CASE'),
    beforeTestRunHookDefinitions: [],
    afterTestRunHookDefinitions: [],
  };
}

/** Allure renders descriptions as Markdown, which may carry HTML: every sign with a meaning is escaped. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>&#|~]/g, '\\$&');
}
