import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestResult } from 'allure-js-commons';
import { stringifyEnvInfo } from 'allure-js-commons/sdk/reporter';
import { UsageError } from '../../drivers/contract';
import { readRegularFile } from '../../drivers/support/files';
import { plainContent, plainMember } from './allure-plain';
import { dutFacts } from '../evidence/dut-text';
import { md5 } from './allure-metadata';
import { countsText } from '../evidence/run-title';
import { schemaCheck } from '../../catalog/schema';
import { scenariosOf, type Verdicts } from '../judge/verdicts';

/** A run, and what it is called in a report of several. */
export interface ReportedRun {
  readonly name: string;
  /** Folder of its results. */
  readonly folder: string;
  readonly verdicts: Verdicts;
}

const resultsFolder = 'allure-results';
const categoriesFile = 'categories.json';

/** Bytes that one file of a run may have; the report holds all of them. */
const fileBytesMax = 256 * 1024 * 1024;

/** What is changed of a result has to be there. */
const departuresOf = schemaCheck({
  type: 'object',
  required: ['name', 'labels', 'parameters'],
  properties: {
    name: { type: 'string' },
    fullName: { type: 'string' },
    labels: { type: 'array', items: { type: 'object' } },
    parameters: { type: 'array', items: { type: 'object' } },
  },
});

/**
 * Puts the Allure results of several runs into one folder. Each scenario is there once per run, with a parameter
 * and, in the tree of suites, by the name of the run.
 *
 * A run may be a stranger's: nothing is read but regular files within its folder of results, and only results, what they
 * attach, and the categories.
 *
 * @param target - an empty folder
 * @throws UsageError if a run has no results of Allure, or damaged ones, or one that attaches what is not a file beside it
 */
export function mergeAllureResults(runs: readonly ReportedRun[], target: string): void {
  mkdirSync(target, { recursive: true });
  for (const run of runs) copyResults(run, target);
  writeFileSync(join(target, 'environment.properties'), stringifyEnvInfo(environmentOf(runs)));
}

function copyResults(run: ReportedRun, target: string): void {
  const results = join(run.folder, resultsFolder);
  const attachments = new Set<string>();
  for (const file of resultFilesIn(results)) {
    const path = join(results, file);
    const { data, attached } = parsed(path);
    writeFileSync(join(target, file), JSON.stringify(file.endsWith('-result.json') ? resultOf(run, data, path) : data));
    const strange = attached.find((source) => !isAttachment(source));
    if (strange !== undefined) throw damaged(path, `it attaches "${strange}", which is not an attachment beside it`);
    for (const source of attached) attachments.add(source);
  }
  for (const source of attachments) {
    writeFileSync(join(target, source), plainContent(source, contentOf(join(results, source))));
  }
}

function resultFilesIn(results: string): readonly string[] {
  const stat = lstatSync(results, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() === true) throw unusable(results, 'it is a symbolic link');
  const files = stat?.isDirectory() === true ? readdirSync(results).filter(isResult) : [];
  if (files.some((file) => file.endsWith('-result.json'))) return files;
  throw new UsageError(`${results} holds no Allure results`, 'run it again');
}

/** Whether Allure reads a file of that name by itself. */
function isResult(file: string): boolean {
  return file === categoriesFile || file.endsWith('-result.json') || file.endsWith('-container.json');
}

/** Whether it is a name such as Allure's writers give, and neither leads elsewhere nor means something else to Allure. */
function isAttachment(source: string): boolean {
  return /^[\w-]+-attachment(\.\w+)*$/.test(source) && !isResult(source);
}

function resultOf({ name }: ReportedRun, data: object, path: string): TestResult {
  const [departure] = departuresOf(data);
  if (departure !== undefined) throw damaged(path, `${departure.path} ${departure.text}`.trim());
  const result = data as TestResult;
  return {
    ...result,
    historyId: md5(`${name}#${result.fullName ?? result.name}`),
    parameters: [...result.parameters, { name: 'DUT', value: name }],
    labels: result.labels.map((label) => (label.name === 'parentSuite' ? { ...label, value: name } : label)),
  };
}

/** What a file of results holds, as a page may show it, and the names of the files that are attached anywhere in it. */
function parsed(path: string): { readonly data: object; readonly attached: readonly string[] } {
  const attached: string[] = [];
  try {
    const data: unknown = JSON.parse(contentOf(path).toString('utf8'), (name, value: unknown) => {
      if (name === 'source' && typeof value === 'string') attached.push(value);
      return plainMember(name, value);
    });
    if (typeof data !== 'object' || data === null) throw new SyntaxError('it is not an object');
    return { data, attached };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw damaged(path, (error as Error).message);
  }
}

function contentOf(path: string): Buffer {
  try {
    return readRegularFile(path, fileBytesMax, false);
  } catch (error) {
    throw unusable(path, (error as Error).message);
  }
}

function unusable(path: string, why: string): UsageError {
  return new UsageError(`${path} cannot be used: ${why}`, 'a report is made of regular files in the folder of the run');
}

function damaged(path: string, why: string): UsageError {
  return new UsageError(`${path} is damaged: ${why}`, 'run it again');
}

/** First the outcome of each run, which the front page shows, then the devices. */
function environmentOf(runs: readonly ReportedRun[]): Record<string, string> {
  const outcomes = runs.map(({ name, verdicts }) => [name, countsText(scenariosOf(verdicts))]);
  const devices = runs.map(({ name, verdicts }) => [`DUT of ${name}`, dutFacts(verdicts.dut).join(', ')]);
  return Object.fromEntries([...outcomes, ...devices]) as Record<string, string>;
}
