/**
 * Tells where the time of a run's scenarios went, by step definition:
 *
 *     node -r ./ci/typescript.js bench/step-costs.ts [FOLDER]
 *
 * FOLDER holds the results of `verbspec run --out FOLDER`; usually it is that of the latest `npm run bench:soft-roce`.
 * Steps that failed are left out: they may have lasted until a wait had run out.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TestStepResultStatus, TimeConversion, type Envelope, type TestStep } from '@cucumber/messages';
import Table from 'cli-table3';
import type { CallRecord } from '../drivers/contract';
import { parseMessages } from '../reports/recording/messages';
import { median, sum } from './statistics';

const folderUsually = join(__dirname, '..', 'reports', 'out', 'bench-soft-roce');
/** What costs less than this share of the time is left out. */
const leastShare = 0.005;

interface Cost {
  count: number;
  totalMs: number;
}

function main(folder = folderUsually): void {
  const envelopes = parseMessages(readFileSync(join(folder, 'messages.ndjson'), 'utf8'));
  const scenarios = envelopes.filter(({ testCaseFinished }) => testCaseFinished).length;
  process.stdout.write(`${renderSteps(stepCosts(envelopes), scenarios)}\n${callLine(join(folder, 'trace'))}\n`);
}

/** Costs by the pattern of the step definition, or by the kind of hook. */
function stepCosts(envelopes: readonly Envelope[]): ReadonlyMap<string, Cost> {
  const names = stepNames(envelopes);
  const costs = new Map<string, Cost>();
  for (const { testStepFinished } of envelopes) {
    if (testStepFinished?.testStepResult.status !== TestStepResultStatus.PASSED) continue;
    const name = names.get(testStepFinished.testStepId) ?? '';
    const cost = costs.get(name) ?? { count: 0, totalMs: 0 };
    cost.count += 1;
    cost.totalMs += TimeConversion.durationToMilliseconds(testStepFinished.testStepResult.duration);
    costs.set(name, cost);
  }
  return costs;
}

/** By the id of the step of a test case. */
function stepNames(envelopes: readonly Envelope[]): ReadonlyMap<string, string> {
  const definitions = new Map<string, string>();
  for (const { stepDefinition, hook } of envelopes) {
    if (stepDefinition) definitions.set(stepDefinition.id, stepDefinition.pattern.source);
    if (hook) definitions.set(hook.id, `(${hook.type})`);
  }
  const nameOf = ({ hookId, stepDefinitionIds }: TestStep): string =>
    definitions.get(hookId ?? stepDefinitionIds?.[0] ?? '') ?? '(undefined)';
  const steps = envelopes.flatMap(({ testCase }) => testCase?.testSteps ?? []);
  return new Map(steps.map((step) => [step.id, nameOf(step)]));
}

function renderSteps(costs: ReadonlyMap<string, Cost>, scenarios: number): string {
  const all = sum([...costs.values()].map(({ totalMs }) => totalMs));
  const table = new Table({
    head: ['share', 'ms per scenario', 'count', 'mean ms', 'step'],
    colAligns: ['right', 'right', 'right', 'right', 'left'],
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });
  const dearest = [...costs].sort(([, one], [, other]) => other.totalMs - one.totalMs);
  for (const [name, { count, totalMs }] of dearest) {
    if (totalMs < leastShare * all) break;
    const share = `${((100 * totalMs) / all).toFixed(1)} %`;
    table.push([share, (totalMs / scenarios).toFixed(1), count, (totalMs / count).toFixed(1), name]);
  }
  return table.toString();
}

/** How many verbs a scenario calls, without its clean-up, and how long it is in them; in the median, as some wait long. */
function callLine(folder: string): string {
  const traces = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as readonly CallRecord[],
  );
  const calls = median(traces.map(({ length }) => length));
  const inVerbsMs = median(traces.map((trace) => sum(trace.map(({ durationUs }) => durationUs)) / 1000));
  return `${traces.length} traces, in the median ${calls} calls, which take ${inVerbsMs.toFixed(1)} ms`;
}

main(process.argv[2]);
