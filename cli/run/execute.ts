import { PassThrough, type Writable } from 'node:stream';
import {
  loadConfiguration,
  loadSupport,
  runCucumber,
  type IRunConfiguration,
  type IRunEnvironment,
  type ISupportCodeLibrary,
} from '@cucumber/cucumber/api';
import type { Envelope } from '@cucumber/messages';
import { UsageError, type Driver } from '../../drivers/contract';
import { oneLine, plainText } from '../../catalog/plain-text';
import { provideDriver, type IsListed } from '../../steps/world/dut';
import { checkCucumberOptions, cucumberRefusalOf } from './cucumber-options';
import { orderWithSeed } from './selection/order';
import { root } from '../common/project';
import { steadily } from './steady-time';

/** What Cucumber shall run. */
export interface Execution {
  readonly configuration: IRunConfiguration;
  readonly environment: IRunEnvironment;
  /** Whether the user has options of his own. */
  readonly isOwn: boolean;
}

/** Step definitions register once in a process, and serve every run in it, even one that begins while they load. */
let support: ISupportCodeLibrary | undefined;
let loading: Promise<ISupportCodeLibrary | undefined> | undefined;

/**
 * Makes ready to run features.
 *
 * @param paths - feature paths within the project, with or without lines
 * @param cucumberOptions - the user's own Cucumber options
 * @param order - `--order`; one among the Cucumber options outranks it
 * @param tags - a tag expression that narrows the selection
 * @throws UsageError if Cucumber refuses them
 */
export async function prepare(
  paths: readonly string[],
  cucumberOptions: readonly string[] = [],
  order = 'defined',
  tags?: string,
): Promise<Execution> {
  const environment = { cwd: root, stdout: outputFor(cucumberOptions), stderr: process.stderr };
  const narrowing = tags === undefined ? [] : ['--tags', tags];
  const provided = ['--require', 'steps/**/*.ts', ...narrowing, ...cucumberOptions, ...paths];
  const { runConfiguration } = await withoutExit(() => loadConfiguration({ file: false, provided }, environment));
  const { sources } = runConfiguration;
  const settled = orderWithSeed(sources.order === 'defined' ? order : sources.order);
  if (cucumberOptions.length > 0) await checkCucumberOptions(runConfiguration, environment);
  return {
    configuration: { ...runConfiguration, sources: { ...sources, order: settled } },
    environment,
    isOwn: cucumberOptions.length > 0,
  };
}

/** Loads the step definitions while something slow is under way. If they cannot be loaded, {@link execute} reports it. */
export async function loadSteps({ configuration, environment }: Execution): Promise<void> {
  loading ??= loadSupport(configuration, environment).catch(() => undefined);
  support ??= await loading;
}

/**
 * Runs features on a driver. What happens is reported by the messages; a failing scenario does not reject.
 *
 * @param isListed - what is known of the device: a scenario goes on after it
 */
export async function execute(
  driver: Driver,
  { configuration, environment, isOwn }: Execution,
  onMessage: (envelope: Envelope) => void,
  isListed?: IsListed,
): Promise<void> {
  provideDriver(driver, isListed);
  support ??= await loading;
  const onSteadyMessage = steadily(onMessage);
  let hasStarted = false;
  const running = runCucumber({ ...configuration, ...(support && { support }) }, environment, (envelope) => {
    hasStarted ||= envelope.testCaseStarted !== undefined;
    onSteadyMessage(envelope);
  });
  const result = await running.catch((error: unknown) => {
    throw isOwn && !hasStarted ? cucumberRefusalOf(error) : error;
  });
  support = result.support;
}

/** Cucumber's own output is for those who ask for a format; the progress and summary of verbspec serve the others. */
function outputFor(cucumberOptions: readonly string[]): Writable {
  const asked = cucumberOptions.some((option) => /^(-f|--format)(=|$)/.test(option));
  return asked ? process.stdout : new PassThrough().resume();
}

/** Cucumber ends the process at an option that it does not know, after a message; here the message is like ours. */
async function withoutExit<T>(parse: () => Promise<T>): Promise<T> {
  const exit = process.exit.bind(process);
  const write = process.stderr.write.bind(process.stderr);
  let said = '';
  process.stderr.write = (text: string | Uint8Array) => {
    said += String(text);
    return true;
  };
  process.exit = () => {
    const why = said === '' ? '' : `: ${oneLine(said.replace(/^error: /, ''))}`;
    throw new UsageError(`Cucumber refuses the options after --${why}`, '`npx cucumber-js --help` lists them');
  };
  try {
    const parsed = await parse();
    write(plainText(said));
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Cucumber refuses its options: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    process.exit = exit;
    process.stderr.write = write;
  }
}
