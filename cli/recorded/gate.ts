import { existsSync } from 'node:fs';
import { HarnessError, UsageError } from '../../drivers/contract';
import {
  baselineOf,
  parseAnyBaseline,
  parseBaseline,
  renderBaseline,
  type Baseline,
  type OldBaseline,
} from '../../reports/gate/baseline';
import { baselineDiff } from '../../reports/gate/baseline-diff';
import { combineRuns, type CombinedRun } from '../../reports/gate/combine-runs';
import { unmetConditions } from '../../reports/gate/dut-conditions';
import { gateMarkdown } from '../../reports/gate/gate-markdown';
import { renderGate } from '../../reports/gate/gate-text';
import { githubAnnotations } from '../../reports/gate/github';
import { judgeGate, type GateResult } from '../../reports/gate/judge-gate';
import { gateCases } from '../../reports/gate/gate-cases';
import { junitXml } from '../../reports/ci-formats/junit';
import { ktap } from '../../reports/ci-formats/ktap';
import { oneLine } from '../../catalog/plain-text';
import { scenariosOf } from '../../reports/judge/verdicts';
import { hasColors } from '../common/colors';
import { listBytesMax, readNamedFile } from '../inputs/read-file';
import { otherBaselines } from '../inputs/other-baselines';
import { causesOfRuns } from '../inputs/recorded-causes';
import { readRuns, type RecordedRunFiles } from '../inputs/recorded-runs';
import { appendTo, writeTo } from '../out/write-file';

/** What the user asks of `verbspec gate`. */
export interface GateCommand {
  /** Folders of runs of one device. */
  readonly runs: readonly string[];
  readonly baseline: string;
  /** Rewrite the baseline. */
  readonly update?: boolean;
  /** Judge only the rules that ran. */
  readonly selected?: boolean;
  /** Whatever the baseline says of the device. */
  readonly anyDut?: boolean;
  /** Files to write. */
  readonly junit?: string;
  readonly ktap?: string;
  readonly markdown?: string;
  /** Folder of baselines of other devices; the one of `baseline` otherwise. */
  readonly others?: string;
  /** Annotate, and add to the summary of the job. */
  readonly github?: boolean;
}

/**
 * Compares runs of one device with a baseline, and reports what differs.
 *
 * @returns the exit code
 */
export function gate(command: GateCommand): number {
  if (command.others !== undefined) otherBaselines(command);
  const recorded = readRuns(command.runs);
  const run = combine(recorded);
  const baseline = command.update === true ? update(run, command) : parseBaseline(readText(command), command.baseline);
  if (command.update !== true) refuseOtherDut(baseline, run, command);
  const result = judgeGate(baseline, run, {
    selected: command.selected === true,
    causes: causesOfRuns(recorded),
    others: () => otherBaselines(command),
  });
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

function combine([first, ...others]: readonly RecordedRunFiles[]): CombinedRun {
  if (first === undefined) throw new UsageError('there is no run to judge', 'name the folder of a run');
  return combineRuns([first, ...others]);
}

function readText({ baseline }: GateCommand): string {
  return readNamedFile(baseline, listBytesMax, `--baseline ${baseline}`, '--update writes it');
}

/** Another device has other verdicts, which would say nothing of a change. */
function refuseOtherDut(baseline: Baseline | OldBaseline, { verdicts }: CombinedRun, command: GateCommand): void {
  if (command.anyDut === true) return;
  const driver =
    verdicts.driver === baseline.driver ? [] : [`driver ${verdicts.driver} (${baseline.driver} in the baseline)`];
  const unmet = [...driver, ...unmetConditions(baseline.dut, verdicts)];
  if (unmet.length === 0) return;
  const remedy = '--any-dut compares them anyway; its "dut" says what a device must be';
  throw new UsageError(`${command.baseline} is the baseline of another device: ${oneLine(unmet.join(', '))}`, remedy);
}

function update(run: CombinedRun, command: GateCommand): Baseline {
  const { baseline, selected } = command;
  const before = existsSync(baseline) ? parseAnyBaseline(readText(command), baseline) : undefined;
  if (before) refuseOtherDut(before, run, command);
  if (selected === true) throw new UsageError('--update writes a whole baseline', 'leave --selected away');
  refuseUnfit(run, baseline);
  const after = baselineOf(run.verdicts, before);
  writeTo(baseline, renderBaseline(after));
  process.stdout.write(`${whatIsWritten(baseline, before, after).join('\n')}\n\n`);
  return after;
}

function whatIsWritten(name: string, before: Baseline | OldBaseline | undefined, after: Baseline): string[] {
  const counted = Object.values(after.counts).reduce((sum, { rules }) => sum + rules, 0);
  const exceptions = Object.keys(after.exceptions).length;
  const contents = `${counted} rules, ${exceptions} of them ${exceptions === 1 ? 'an exception' : 'exceptions'}`;
  if (before === undefined) return [oneLine(`${name}: new, with ${contents}`)];
  if (before.schemaVersion === 1)
    return [oneLine(`${name}: rewritten, with ${contents}`), ...baselineDiff(before, after)];
  const diff = baselineDiff(before, after);
  return diff.length === 0 ? [oneLine(`${name}: nothing changes`)] : [oneLine(`${name}:`), ...diff];
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
  const cases = gateCases(result, verdicts);
  const markdown = gateMarkdown(result, command.baseline);
  if (command.junit !== undefined) writeTo(command.junit, junitXml(cases, verdicts, result.causes.causes));
  if (command.ktap !== undefined) writeTo(command.ktap, ktap(cases));
  if (command.markdown !== undefined) writeTo(command.markdown, markdown);
  if (command.github !== true) return;
  process.stdout.write(`\n${githubAnnotations(result)}`);
  const summary = process.env.GITHUB_STEP_SUMMARY ?? '';
  if (summary !== '') appendTo(summary, markdown);
}
