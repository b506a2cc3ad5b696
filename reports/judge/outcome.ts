import { TestStepResultStatus as Status, type Attachment, type TestStepResult } from '@cucumber/messages';
import {
  comparedText,
  KnownDeviation,
  mediaTypes,
  subjectText,
  Unexpected,
  type Comparison,
} from '../../drivers/contract';
import { oneLine, plainText } from '../../catalog/plain-text';
import { textOf } from '../recording/attachment-text';
import { comparisonOfStep, comparisonsOfStep } from './recorded-failure';
import type { RecordedAttempt, RecordedScenario, RecordedStep } from '../recording/recorded-run';
import type { Failure } from '../../catalog/symptom';
import { severityOf } from '../../catalog/severity';
import type { ScenarioVerdict } from '../../catalog/verdict';

/** What a scenario came to by itself, before the list of deviations is asked. */
export type OutcomeVerdict = Exclude<ScenarioVerdict, 'deviates' | 'surprise'>;

/** One thing that went wrong, or the reason why a scenario does not apply. */
export interface Finding {
  readonly verdict: OutcomeVerdict;
  /** The step or hook, empty where there is none. */
  readonly where: string;
  /** What happened, in one line. */
  readonly words: string;
  readonly expected?: string;
  readonly observed?: string;
  /** The same as data, where a check failed or a verb refused. */
  readonly comparison?: Comparison;
  /** There when it happened after the last step. */
  readonly isCleanUp?: true;
  /** Stack trace of the error, where there is one. */
  readonly stack?: string;
  /** There when the device is gone for good. */
  readonly dutLost?: true;
}

/** The outcome of a scenario: its most severe finding decides. */
export interface Outcome {
  readonly verdict: OutcomeVerdict;
  /** All findings, the most severe first; none for a pass. */
  readonly findings: readonly Finding[];
  /** The attempt that counts; `undefined` if the scenario never began. */
  readonly attempt: RecordedAttempt | undefined;
}

/**
 * Judges a scenario by the most severe of its attempts, and an attempt by the most severe of its findings: a broken
 * tear-down never hides a failure, and a retry never hides an earlier attempt.
 */
export function outcomeOf(scenario: RecordedScenario): Outcome {
  const [first, ...others] = scenario.attempts.map(outcomeOfAttempt);
  if (!first) return { verdict: 'broken', findings: [neverBegan], attempt: undefined };
  return others.reduce((worst, other) => (isWorse(other.verdict, worst.verdict) ? other : worst), first);
}

/** A finding as the list of deviations sees it. */
export function failureIn({ where, words, comparison }: Finding): Failure {
  if (comparison === undefined) return { step: where, subject: words };
  const { subject, expected, observed } = comparison;
  return { step: where, subject, expected, observed };
}

const neverBegan: Finding = { verdict: 'broken', where: '', words: 'the run ended before the scenario began' };

function isWorse(one: OutcomeVerdict, other: OutcomeVerdict): boolean {
  return severityOf(one) > severityOf(other);
}

function outcomeOfAttempt(attempt: RecordedAttempt): Outcome {
  const failures = attempt.steps.flatMap((step) => failureOf(step, attempt));
  if (attempt.stopMs === undefined) failures.push(cutShort(attempt));
  const findings = failures.length > 0 ? failures : findingsOfUnfailed(attempt);
  const sorted = [...findings].sort((one, other) => severityOf(other.verdict) - severityOf(one.verdict));
  return { verdict: sorted[0]?.verdict ?? 'pass', findings: sorted, attempt };
}

function cutShort({ steps }: RecordedAttempt): Finding {
  const running = steps.find((step) => step.result === undefined);
  return { verdict: 'broken', where: running?.title ?? '', words: 'the run ended before the scenario did' };
}

/** Nothing failed: the scenario passed, was skipped for a stated reason, or did not run through. */
function findingsOfUnfailed({ steps, attachments }: RecordedAttempt): Finding[] {
  const reason = attachments.find((attachment) => attachment.mediaType === mediaTypes.notApplicable);
  const stopped = steps.find(({ result }) => result?.status !== Status.PASSED);
  if (reason && stopped?.result?.status === Status.SKIPPED) {
    return [{ verdict: 'not-applicable', where: '', words: oneLine(textOf(reason)) }];
  }
  if (stopped) return [brokenStep(stopped)];
  if (!steps.some(({ kind }) => kind === 'given' || kind === 'step')) {
    return [{ verdict: 'broken', where: '', words: 'the scenario has no steps' }];
  }
  return [];
}

const unfinishedWords = new Map<Status, string>([
  [Status.UNDEFINED, 'no step definition matches'],
  [Status.AMBIGUOUS, 'several step definitions match'],
  [Status.PENDING, 'the step is pending'],
  [Status.SKIPPED, 'skipped without a reason'],
]);

function brokenStep({ title, result }: RecordedStep): Finding {
  const words = unfinishedWords.get(result?.status ?? Status.UNKNOWN) ?? 'the step has no result';
  return { verdict: 'broken', where: title, words };
}

/** Errors that a step or hook threw, and steps that lack their one definition. */
function failureOf(step: RecordedStep, { attachments }: RecordedAttempt): Finding[] {
  if (step.result?.status === Status.PASSED) return failurePassedOver(step, attachments);
  if (!step.result || [Status.PASSED, Status.SKIPPED, Status.PENDING].includes(step.result.status)) return [];
  if (step.result.status !== Status.FAILED) return [brokenStep(step)];
  const error = errorOf(step.result);
  if (error.type === KnownDeviation.name) return []; // the step that failed has what it is about
  if (error.type !== Unexpected.name) return [failedWith(error, step, comparisonOfStep(attachments, step.testStepId))];
  const comparisons = comparisonsOfStep(attachments, step.testStepId);
  if (comparisons.length === 0) return [failedWith(error, step, undefined)];
  return comparisons.map((comparison) => failedWith(error, step, comparison));
}

function failedWith(error: StepError, { kind, title }: RecordedStep, comparison: Comparison | undefined): Finding {
  return {
    verdict: verdictOfError(error.type, kind),
    where: title,
    words: errorWords(error.type, error.message),
    ...(checkTypes.has(error.type) && comparison && comparisonInWords(comparison)),
    ...(comparison && { comparison }),
    ...(kind === 'after-hook' && error.type !== Unexpected.name && { isCleanUp: true }),
    ...(error.stack !== '' && { stack: error.stack }),
    ...(error.type === 'DutLost' && { dutLost: true }),
  };
}

/** Errors that a check has thrown. */
const checkTypes: ReadonlySet<string> = new Set(['RuleViolated', 'Unexpected']);

/** A step that failed as the list of deviations has it, so that the scenario went on. */
function failurePassedOver({ title, testStepId, kind }: RecordedStep, attachments: readonly Attachment[]): Finding[] {
  const comparison = comparisonOfStep(attachments, testStepId);
  if (comparison === undefined) return [];
  return [{ verdict: verdictsOnDut[kind], where: title, ...comparisonInWords(comparison), comparison }];
}

function comparisonInWords(comparison: Comparison): Pick<Required<Finding>, 'words' | 'expected' | 'observed'> {
  return {
    words: oneLine(subjectText(comparison)),
    expected: oneLine(comparedText(comparison.expected)),
    observed: oneLine(comparedText(comparison.observed)),
  };
}

interface StepError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}

function errorOf({ exception, message = '' }: TestStepResult): StepError {
  return {
    type: exception?.type ?? 'Error',
    message: exception?.message ?? message,
    stack: plainText(exception?.stackTrace ?? ''),
  };
}

/**
 * The verdict that an error stands for.
 *
 * What throws before the first step has set nothing up, so nothing is said of the DUT unless the DUT was lost. A refusal
 * or a failed check in what is given, or after the last step, is the DUT's doing and not what the rule is about: the DUT
 * did not come as far as that, or did not let go of what the scenario had made.
 */
export function verdictOfError(type: string, kind: RecordedStep['kind']): OutcomeVerdict {
  switch (type) {
    case 'DutCrashed':
      return 'crash';
    case 'DutHung':
      return 'hang';
    case 'DutPanicked':
      return 'panic';
    case 'Unexpected':
      return 'fail';
    case 'RuleViolated':
    case 'AssertionError': // of steps of the user's own
    case 'VerbsError':
      return verdictsOnDut[kind];
    default:
      return 'broken';
  }
}

/** By the place in which the DUT refused, or a check failed. */
const verdictsOnDut: Readonly<Record<RecordedStep['kind'], OutcomeVerdict>> = {
  'before-hook': 'broken',
  given: 'blocked',
  step: 'fail',
  'after-hook': 'blocked',
};

const speakingTypes = [
  ...['VerbsError', 'HarnessError', 'UsageError', 'DutLost', 'DutCrashed', 'DutHung', 'DutPanicked'],
  ...['RuleViolated', 'Unexpected', 'AssertionError'],
];

/** Where node:assert points at a sign of the line above. */
const caretLine = /^\s*\^+\s*$/gm;

/** Errors of the contract speak for themselves, as checks do; any other has its type in front. */
function errorWords(type: string, message: string): string {
  const words = oneLine(type === 'AssertionError' ? message.replace(caretLine, '') : message);
  return speakingTypes.includes(type) ? words : `${type}: ${words}`;
}
