import { PickleStepType, TestStepResultStatus, type Pickle } from '@cucumber/messages';
import { mediaTypes, needsIn, type Dut } from '../../drivers/contract';
import type { Parts } from '../../drivers/sim/device/device';
import { partsWith } from '../../drivers/sim/faults';
import type { Fault } from '../../drivers/sim/faults/fault';
import type { History, HistoryEvent } from '../../drivers/sim/faults/history';
import { Prover } from '../../drivers/sim/faults/prover';
import { divergence } from '../../drivers/sim/faults/replay';
import { tellingParts } from '../../drivers/sim/faults/touched';
import { failureOf } from '../../reports/diagnosis/failures';
import { textOf } from '../../reports/recording/attachment-text';
import { GherkinIndex } from '../../reports/recording/gherkin-index';
import type { JudgedRun, JudgedScenario } from '../../reports/judge/judged-run';
import type { ProvedScenario, SoundScenario, WrittenStep } from '../../reports/proof/proof';
import { parseTrace } from '../../reports/evidence/recorded-trace';
import { judgedRun } from '../run/judge-run';

/** A scenario without a fault, with all that decides how it runs under one. */
export interface RecordedScenario extends SoundScenario {
  /** Methods of the simulator that it calls, and verbs. */
  readonly touches: readonly string[];
  readonly history: History;
  /** Its steps as they are written, with what they have below them. */
  readonly text: string;
  /** Files of the definitions of its steps. */
  readonly definitions: readonly string[];
  /** What it needs of a device. */
  readonly needs: readonly string[];
}

/** A scenario to run under a fault. */
export interface Trial {
  readonly uri: string;
  readonly line: number;
  /** C functions; a scenario that first goes astray in one of them goes no further. */
  readonly uptoVerbs: readonly string[];
}

/** What became of a scenario under a fault. */
export interface Tried {
  readonly uri: string;
  readonly line: number;
  /** In which C function it first gets something else; without it, it runs as it does without the fault. */
  readonly at?: string;
  /** Its verdict, if it was run to its end. */
  readonly verdict?: ProvedScenario['verdict'];
  readonly detail?: string;
  /** Which of its steps failed first. */
  readonly failedAt?: number;
  /** Of what failed first, where it is a failure of the device. */
  readonly signature?: string;
}

/** Runs features without a fault. */
export async function runSound(paths: readonly string[], beat: () => void): Promise<RecordedScenario[]> {
  const recordings = new Map<string, { readonly touches: Set<string>; readonly history: HistoryEvent[] }>();
  let current = { touches: new Set<string>(), history: [] as HistoryEvent[] };
  const driver = new Prover(
    tellingParts((touch) => current.touches.add(touch)),
    (event) => current.history.push(event),
  );
  const run = await judgedRun(driver, paths, 'defined', [], ({ testCaseStarted }) => {
    if (testCaseStarted === undefined) return;
    beat();
    recordings.set(testCaseStarted.testCaseId, (current = { touches: new Set(), history: [] }));
  });
  const written = writtenScenarios(run);
  return run.scenarios.map((scenario) => {
    const { testCaseId } = scenario.recorded;
    const { touches = [], history = [] } = recordings.get(testCaseId) ?? {};
    const verbs = verbsOf(scenario, mediaTypes.trace);
    return {
      ...provedScenario(scenario),
      verbs,
      touches: [...new Set([...touches, ...verbs, ...verbsOf(scenario, mediaTypes.cleanUpTrace)])],
      history,
      ...(written.get(testCaseId) ?? { text: '', definitions: [], needs: [], checks: 0, writtenName: '', steps: [] }),
    };
  });
}

/**
 * Runs scenarios under a fault.
 *
 * @param histories - of the scenarios without a fault, by {@link placeOf}
 */
export async function runUnder(
  fault: Fault,
  trials: readonly Trial[],
  histories: ReadonlyMap<string, History>,
  beat: () => void,
): Promise<Tried[]> {
  const parts = partsWith(fault);
  const tried: Tried[] = [];
  const further: Trial[] = [];
  for (const trial of trials) {
    beat();
    const { uri, line } = trial;
    const found = await divergence(parts, histories.get(placeOf(trial)) ?? []);
    tried.push({ uri, line, ...(found && { at: found.at }) });
    if (found !== undefined && !trial.uptoVerbs.includes(found.at)) further.push(trial);
  }
  return further.length === 0 ? tried : withVerdicts(tried, await runWhole(parts, further, beat));
}

/** Runs scenarios to their end under a fault. */
export async function runWhole(
  parts: Parts,
  trials: readonly Pick<Trial, 'uri' | 'line'>[],
  beat: () => void,
  dut?: Dut,
): Promise<JudgedScenario[]> {
  const uris = [...new Set(trials.map(({ uri }) => uri))];
  const paths = uris.map((uri) => [uri, ...trials.filter((one) => one.uri === uri).map(({ line }) => line)].join(':'));
  return [...(await judgedRun(new Prover(parts, undefined, dut), paths, 'defined', [], beat)).scenarios];
}

function withVerdicts(tried: readonly Tried[], whole: readonly JudgedScenario[]): Tried[] {
  const byPlace = new Map(whole.map((one) => [placeOf(one.recorded), one]));
  return tried.map((one) => {
    const run = byPlace.get(placeOf(one));
    if (run === undefined) return one;
    const { verdict, detail } = run;
    const failedAt = firstFailedStep(run);
    const signature = failureOf(run)?.signature;
    return {
      ...one,
      verdict,
      ...(detail !== undefined && { detail }),
      ...(failedAt >= 0 && { failedAt }),
      ...(signature !== undefined && { signature }),
    };
  });
}

/** @returns -1 where a hook failed, or nothing */
function firstFailedStep({ outcome }: JudgedScenario): number {
  const steps = (outcome.attempt?.steps ?? []).filter(({ kind }) => kind === 'given' || kind === 'step');
  return steps.findIndex(({ result }) => result?.status === TestStepResultStatus.FAILED);
}

/** Where a scenario stands. */
export function placeOf({ uri, line }: { readonly uri: string; readonly line: number }): string {
  return `${uri}:${line}`;
}

function provedScenario({ recorded, clauseIds, verdict, detail }: JudgedScenario): ProvedScenario {
  const { uri, line, name } = recorded;
  return { uri, line, name, clauseIds, verdict, ...(detail !== undefined && { detail }) };
}

function verbsOf({ outcome }: JudgedScenario, ofMediaType: string): string[] {
  const traces = (outcome.attempt?.attachments ?? []).filter(({ mediaType }) => mediaType === ofMediaType);
  return [...new Set(traces.flatMap((trace) => (parseTrace(textOf(trace)) ?? []).map(({ verb }) => verb)))];
}

type Written = Pick<RecordedScenario, 'text' | 'definitions' | 'needs' | 'checks' | 'writtenName' | 'steps'>;

/** What stands in the features of each test case, and the files that define its steps. */
function writtenScenarios({ recording }: JudgedRun): ReadonlyMap<string, Written> {
  const { envelopes } = recording;
  const gherkin = new GherkinIndex(envelopes);
  const pickles = new Map(envelopes.flatMap(({ pickle }) => (pickle ? [[pickle.id, pickle]] : [])));
  const files = new Map(
    envelopes.flatMap(({ stepDefinition }) =>
      stepDefinition ? [[stepDefinition.id, stepDefinition.sourceReference.uri ?? '']] : [],
    ),
  );
  return new Map(
    envelopes.flatMap(({ testCase }) => {
      if (testCase === undefined) return [];
      const pickle = pickles.get(testCase.pickleId);
      const ids = testCase.testSteps.flatMap(({ stepDefinitionIds = [] }) => stepDefinitionIds);
      const definitions = [...new Set(ids.map((id) => files.get(id) ?? ''))].sort();
      const steps = writtenSteps(pickle, gherkin);
      const writtenName = (pickle && gherkin.placeOf(pickle)?.scenario.name) ?? '';
      const checks = steps.filter(({ isThen }) => isThen).length;
      const needs = needsIn((pickle?.tags ?? []).map(({ name }) => name));
      return [[testCase.id, { text: textOfPickle(pickle), definitions, needs, checks, writtenName, steps }]];
    }),
  );
}

function textOfPickle(pickle: Pickle | undefined): string {
  const steps = pickle?.steps.map(({ type, text, argument }) => ({ type, text, argument }));
  return JSON.stringify([pickle?.tags.map(({ name }) => name), steps]);
}

function writtenSteps(pickle: Pickle | undefined, gherkin: GherkinIndex): WrittenStep[] {
  return (pickle?.steps ?? []).map(({ type, text, astNodeIds }) => {
    const step = gherkin.stepOf(astNodeIds);
    return { line: step?.location.line ?? 0, text: step?.text ?? text, isThen: type === PickleStepType.OUTCOME };
  });
}
