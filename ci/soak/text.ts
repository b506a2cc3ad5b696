import { join } from 'node:path';
import Table from 'cli-table3';
import { scenariosOf, type Verdicts } from '../../reports/judge/verdicts';
import type { Difference } from './differences';
import type { FinishedRun, Soaked } from './run-plan';

/** What a line of progress says of a run, after its name. */
export function runText({ outcome, durationMs, order, differences }: FinishedRun): string {
  const { verdicts, exitCode, lastWords } = outcome;
  const seconds = `${(durationMs / 1000).toFixed(0)} s`;
  if (verdicts === undefined) return `no verdicts, exit code ${exitCode}, in ${seconds}, ${order}; ${lastWords}`;
  const scenarios = `${scenariosOf(verdicts).length} scenarios in ${seconds}, ${order}`;
  if (differences === undefined) return `${scenarios}: ${countsOf(verdicts)}`;
  return `${scenarios}, ${differences === 0 ? 'same verdicts' : `${differences} DIFFERENT`}`;
}

function countsOf(verdicts: Verdicts): string {
  const counts = new Map<string, number>();
  for (const { verdict } of scenariosOf(verdicts)) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return [...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ');
}

/** Lines between the rows would say nothing. */
const noLines = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };

/** A row for each plan, and below them what differed, with the runs in which it did. */
export function soakText(soaked: readonly Soaked[], folder: string): string {
  const head = ['driver', 'load', 'runs', 'exit codes', 'seconds', 'differ'];
  const table = new Table({ head, style: { head: [], border: [] }, chars: noLines });
  for (const { plan, runs, differences } of soaked) {
    const seconds = runs.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
    const codes = [...new Set(runs.map(({ outcome }) => outcome.exitCode))].join(', ');
    table.push([plan.name, plan.load, `${runs.length} of ${plan.runs}`, codes, seconds.toFixed(0), differences.length]);
  }
  const told = soaked.flatMap((one) => one.differences.map((difference) => differenceText(difference, one, folder)));
  return [table.toString(), ...told].join('\n\n');
}

function differenceText({ name, parties }: Difference, { plan, runs }: Soaked, folder: string): string {
  const lines = parties.flatMap(({ verdict, runs: numbers, observation }, index) => {
    const first = runs.find(({ run }) => run === numbers[0]);
    const heading = `  ${verdict}: ${numbers.length} of ${runs.length} runs`;
    if (index === 0 || first === undefined) return [heading];
    const place = `    run ${first.run}, ${first.order}: ${join(folder, first.folder, observation.trace ?? 'output.txt')}`;
    return [heading, place, ...(observation.detail === undefined ? [] : [`    ${observation.detail}`])];
  });
  return [`${plan.name}: ${name}`, ...lines].join('\n');
}
