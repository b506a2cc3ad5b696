import { PassThrough, type Writable } from 'node:stream';
import { loadConfiguration, runCucumber, type ISupportCodeLibrary } from '@cucumber/cucumber/api';
import type { Envelope } from '@cucumber/messages';
import { UsageError, type Driver } from '../drivers/contract';
import { provideDriver } from '../steps/dut';
import { root } from './project';

/** What Cucumber shall run, and who follows it. */
export interface Execution {
  /** Feature paths within the project, with or without lines. */
  readonly paths: readonly string[];
  /** The user's own Cucumber options. */
  readonly cucumberOptions: readonly string[];
  readonly onMessage: (envelope: Envelope) => void;
}

/** Step definitions register once in a process, and serve every run in it. */
let support: ISupportCodeLibrary | undefined;

/** Runs features on a driver. What happens is told by the messages; a failing scenario does not reject. */
export async function execute(driver: Driver, { paths, cucumberOptions, onMessage }: Execution): Promise<void> {
  provideDriver(driver);
  const environment = { cwd: root, stdout: outputFor(cucumberOptions), stderr: process.stderr };
  const provided = ['--require', 'steps/**/*.ts', ...cucumberOptions, ...paths];
  const { runConfiguration } = await loadConfiguration({ file: false, provided }, environment).catch(asUsageError);
  const result = await runCucumber({ ...runConfiguration, ...(support && { support }) }, environment, onMessage);
  support = result.support;
}

/** Cucumber's own output is for those who ask for a format; the progress and summary of verbspec serve the others. */
function outputFor(cucumberOptions: readonly string[]): Writable {
  const asked = cucumberOptions.some((option) => /^(-f|--format)(=|$)/.test(option));
  return asked ? process.stdout : new PassThrough().resume();
}

function asUsageError(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  throw new UsageError(`Cucumber refuses its options: ${message}`, 'see `npx cucumber-js --help`');
}
