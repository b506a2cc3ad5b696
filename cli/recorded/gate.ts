import { existsSync } from 'node:fs';
import { HarnessError, UsageError } from '../../drivers/contract';
import { baselineOf, parseBaseline, renderBaseline, type Baseline } from '../../reports/gate/baseline';
import { baselineDiff } from '../../reports/gate/baseline-diff';
import { combineRuns, type CombinedRun } from '../../reports/gate/combine-runs';
import { unmetConditions } from '../../reports/gate/dut-conditions';
import { gateMarkdown } from '../../reports/gate/gate-markdown';
import { renderGate } from '../../reports/gate/gate-text';
import { githubAnnotations } from '../../reports/gate/github';
import { judgeGate, type GateResult } from '../../reports/gate/judge-gate';
import { gateCases } from '../../reports/gate/gate-cases';
import { casesOf } from '../../reports/ci-formats/cases';
import { junitXml } from '../../reports/ci-formats/junit';
import { ktap } from '../../reports/ci-formats/ktap';
import { oneLine } from '../../catalog/plain-text';
import { scenariosOf } from '../../reports/judge/verdicts';
import { hasColors } from '../common/colors';
import { listBytesMax, readNamedFile } from '../inputs/read-file';
import { readRuns } from '../inputs/recorded-runs';
import { appendTo, writeTo } from '../out/write-file';

/** What the user asks of `verbspec gate`. */
export interface GateCommand {
  /** Folders of runs of one device. */
  readonly runs: readonly string[];
  readonly baseline: string;
  /** Write the baseline anew. */
  readonly update?: boolean;
  /** Judge only the rules that ran. */
  readonly selected?: boolean;
  /** Whatever the baseline says of the device. */
  readonly anyDut?: boolean;
  /** Files to write. */
  readonly junit?: string;
  readonly ktap?: string;
  readonly markdown?: string;
  /** Annotate, and add to the summary of the job. */
  readonly github?: boolean;
}

/**
 * Holds runs of one device against a baseline, and tells what is another.
 *
 * @returns the exit code
 */
export function gate(command: GateCommand): number {
  const run = combine(command.runs);
  const before = readBaseline(command);
  if (before && command.anyDut !== true) refuseOtherDut(before, run, command.baseline);
  const after = command.update === true ? update(before, run, command) : before;
  if (after === undefined) throw new UsageError(`there is no baseline ${command.baseline}`, '--update writes it');
  const result = judgeGate(after, run, { selected: command.selected === true });
  const columns = process.stdout.columns || 80;
  const layout = { color: hasColors(process.stdout), columns, baseline: command.baseline };
  process.stdout.write(renderGate(result, { ...layout, updateCommand: updateCommand(command) }));
  writeOutputs(result, run, command);
  return result.exitCode;
}

/** A run of a part makes no baseline. */
function updateCommand({ baseline, runs, anyDut, selected, update }: GateCommand): string | undefined {
  if (selected === true || update === true) return undefined;
  const options = ['--update', ...(anyDut === true ? ['--any-dut'] : [])];
  return ['npx verbspec gate', ...options, '--baseline', baseline, ...runs].join(' ');
}

function combine(paths: readonly string[]): CombinedRun {
  const [first, ...others] = readRuns(paths);
  if (first === undefined) throw new UsageError('there is no run to judge', 'name the folder of a run');
  return combineRuns([first, ...others]);
}

function readBaseline({ baseline, update }: GateCommand): Baseline | undefined {
  if (update === true && !existsSync(baseline)) return undefined;
  const text = readNamedFile(baseline, listBytesMax, `--baseline ${baseline}`, '--update writes it');
  return parseBaseline(text, baseline);
}

/** Another device has other verdicts, which would say nothing of a change. */
function refuseOtherDut(baseline: Baseline, { verdicts }: CombinedRun, name: string): void {
  const driver =
    verdicts.driver === baseline.driver ? [] : [`driver ${verdicts.driver} (${baseline.driver} in the baseline)`];
  const unmet = [...driver, ...unmetConditions(baseline.dut, verdicts)];
  if (unmet.length === 0) return;
  const remedy = '--any-dut does it all the same; its "dut" says what a device must be';
  throw new UsageError(`${name} is the baseline of another device: ${oneLine(unmet.join(', '))}`, remedy);
}

function update(before: Baseline | undefined, run: CombinedRun, { baseline, selected }: GateCommand): Baseline {
  if (selected === true) throw new UsageError('--update writes a whole baseline', 'leave --selected away');
  refuseUnfit(run, baseline);
  const after = baselineOf(run.verdicts, before);
  writeTo(baseline, renderBaseline(after));
  if (before === undefined) {
    process.stdout.write(`${oneLine(baseline)}: new, with ${run.verdicts.rules.length} rules\n\n`);
  } else {
    const diff = baselineDiff(before, after);
    const lines = diff.length === 0 ? [oneLine(`${baseline}: nothing changes`)] : [oneLine(`${baseline}:`), ...diff];
    process.stdout.write(`${lines.join('\n')}\n\n`);
  }
  return after;
}

/** A baseline must not hold what says nothing, or another thing each time. */
function refuseUnfit({ verdicts, flaky }: CombinedRun, baseline: string): void {
  const scenarios = scenariosOf(verdicts).map(({ verdict }) => verdict);
  const whole = verdicts.dutLost === undefined && !scenarios.includes('broken');
  const remedy = `${baseline} stays as it is`;
  if (!whole) throw new HarnessError('a run in which something is broken makes no baseline', remedy);
  if (scenarios.every((verdict) => verdict === 'not-applicable')) {
    throw new HarnessError('a run in which no scenario was executed makes no baseline', remedy);
  }
  const [rule] = flaky.keys();
  if (rule !== undefined) throw new HarnessError(`${rule} differs from run to run and makes no baseline`, remedy);
}

function writeOutputs(result: GateResult, { verdicts }: CombinedRun, command: GateCommand): void {
  const cases = [...gateCases(result), ...casesOf(verdicts)];
  const markdown = gateMarkdown(result, command.baseline);
  if (command.junit !== undefined) writeTo(command.junit, junitXml(cases, verdicts));
  if (command.ktap !== undefined) writeTo(command.ktap, ktap(cases));
  if (command.markdown !== undefined) writeTo(command.markdown, markdown);
  if (command.github !== true) return;
  process.stdout.write(`\n${githubAnnotations(result)}`);
  const summary = process.env.GITHUB_STEP_SUMMARY ?? '';
  if (summary !== '') appendTo(summary, markdown);
}
