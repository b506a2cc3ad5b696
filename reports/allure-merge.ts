import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestResult } from 'allure-js-commons';
import { stringifyEnvInfo } from 'allure-js-commons/sdk/reporter';
import { UsageError } from '../drivers/contract';
import { dutFacts } from './dut-text';
import { md5 } from './allure-metadata';
import { countsText } from './run-title';
import { scenariosOf, type Verdicts } from './verdicts';

/** A run, and what it is called in a report of several. */
export interface ReportedRun {
  readonly name: string;
  /** Folder of its results. */
  readonly folder: string;
  readonly verdicts: Verdicts;
}

const resultsFolder = 'allure-results';

/** What the merged results have of their own, and files that only a whole report has. */
const notCopied = ['environment.properties', 'executor.json', 'history'];

/**
 * Puts the Allure results of several runs into one folder. Each scenario is there once a run, told apart by a parameter
 * and, in the tree of suites, by the name of the run.
 *
 * @param target - an empty folder
 * @throws UsageError if a run has no results of Allure, or damaged ones
 */
export function mergeAllureResults(runs: readonly ReportedRun[], target: string): void {
  mkdirSync(target, { recursive: true });
  for (const run of runs) {
    for (const file of resultFilesOf(run)) {
      const from = join(run.folder, resultsFolder, file);
      if (file.endsWith('-result.json')) writeFileSync(join(target, file), JSON.stringify(resultOf(run, from)));
      else copyFileSync(from, join(target, file));
    }
  }
  writeFileSync(join(target, 'environment.properties'), stringifyEnvInfo(environmentOf(runs)));
}

function resultFilesOf({ folder }: ReportedRun): readonly string[] {
  const results = join(folder, resultsFolder);
  const files = existsSync(results) ? readdirSync(results).filter((file) => !notCopied.includes(file)) : [];
  if (files.some((file) => file.endsWith('-result.json'))) return files;
  throw new UsageError(`${results} holds no Allure results`, 'run it again');
}

function resultOf({ name }: ReportedRun, path: string): TestResult {
  const result = parsed(path);
  return {
    ...result,
    historyId: md5(`${name}#${result.fullName ?? result.name}`),
    parameters: [...result.parameters, { name: 'DUT', value: name }],
    labels: result.labels.map((label) => (label.name === 'parentSuite' ? { ...label, value: name } : label)),
  };
}

function parsed(path: string): TestResult {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as TestResult;
  } catch (error) {
    throw new UsageError(`${path} is damaged: ${(error as Error).message}`, 'run it again');
  }
}

/** First the outcome of each run, which the front page shows, then the devices. */
function environmentOf(runs: readonly ReportedRun[]): Record<string, string> {
  const outcomes = runs.map(({ name, verdicts }) => [name, countsText(scenariosOf(verdicts))]);
  const devices = runs.map(({ name, verdicts }) => [`DUT of ${name}`, dutFacts(verdicts.dut).join(', ')]);
  return Object.fromEntries([...outcomes, ...devices]) as Record<string, string>;
}
