import { join, parse } from 'node:path';
import type { Envelope } from '@cucumber/messages';
import { HarnessError, UsageError, type Driver, type DriverOptions } from '../../drivers/contract';
import type { Authority } from '../../catalog/authority';
import type { ListedDeviation } from '../../catalog/deviations';
import { removeAbandoned } from '../../drivers/abandoned';
import { loadDriver } from '../../drivers/registry';
import { AllureHistory } from '../../reports/allure/allure-history';
import { reachedInWords } from '../../reports/cell-coverage/edges';
import { edgesText } from '../../reports/cell-coverage/edges-file';
import { causesOf } from '../../reports/diagnosis/causes';
import type { JudgedRun } from '../../reports/judge/judged-run';
import { exitCode, type RunInfo } from '../../reports/judge/verdicts';
import { replaceCredentials } from '../../reports/redaction/places';
import { deviationsOfUser, knownDeviations, refuseClash } from '../inputs/deviations';
import { onFailure, showFailures } from '../common/ending';
import { readExpectedCapabilities } from './expected-capabilities';
import { scenariosAgain } from './selection/again';
import { execute, loadSteps, prepare, type Execution } from './execute';
import { faultEvidence } from '../inputs/fault-evidence';
import { faultDictionary } from '../inputs/fault-dictionary';
import { Interruption } from '../common/interruption';
import { knownOf } from './known';
import type { IsListed } from '../../steps/world/dut';
import { otherOrder } from './selection/order';
import { OutFolder } from '../out/out-folder';
import { Progress } from './progress';
import { root, suiteCommit, suiteVersion } from '../common/project';
import { Recorder } from './recorder';
import { disclosureOf, type Disclosure } from './redaction';
import { readSpecification, type FeatureRule, type Specification } from '../inputs/features';
import { repeat } from './repeat';
import { reportRun, type RunEnd } from './results';
import { selectAuthorities, selectPaths } from './selection/selection';

/** Exit code of a run whose set-up is broken. */
const brokenSetup = 3;

/** What the user asks of `verbspec run`. */
export interface RunOptions extends Omit<DriverOptions, 'progress'> {
  readonly driver: string;
  /** `--out`. */
  readonly out?: string;
  /** `--expect-capabilities`: a file that lists what the device must have. */
  readonly expectCapabilities?: string;
  /** `--proof`: what `verbspec prove` has shown; what lies in its usual place unless given. */
  readonly proof?: string;
  /** `--redact`: hide GUIDs, addresses, names of machines and persons. */
  readonly redact?: boolean;
  /** `--deviations`: files of the user's own, added to the known ones. */
  readonly deviations?: readonly string[];
  /** `--history`: the folder of what Allure remembers of earlier runs. */
  readonly history?: string;
  /** `--order`: defined, reverse, or random with or without a seed. */
  readonly order?: string;
  /** `--repeat`: how many times. */
  readonly repeat?: number;
  /** `--again`: an earlier run, of which that is selected which did not come out as expected. */
  readonly again?: string;
  /** `--until-fail`: whether the first run that fails is the last of `repeat`. */
  readonly untilFail?: boolean;
  /** `--label`: what the run is called beside others. */
  readonly label?: string;
  /** `--verbose`: a line for each rule. */
  readonly verbose?: boolean;
  /** `--authority`: what the rules that run rest on. */
  readonly authority?: readonly Authority[];
  readonly selectors: readonly string[];
  readonly cucumberOptions: readonly string[];
  /** Those of the options above that were given and matter to each scenario, as the shell had them. */
  readonly given?: readonly string[];
}

/**
 * Runs features on a driver, once or several times, writes the results and prints a summary.
 *
 * @returns the exit code
 */
export async function run(options: RunOptions): Promise<number> {
  if (options.untilFail === true && options.repeat === undefined) {
    throw new UsageError('--until-fail says when --repeat ends', 'add --repeat N');
  }
  await removeAbandoned();
  const folder = options.out ?? join(root, 'reports', 'out', nameOf(options.driver));
  const disclosure = disclosureOf(options);
  showFailures(disclosure.text);
  try {
    if (options.repeat === undefined) return await runOnce(options, folder, disclosure);
    return await repeat(options.repeat, folder, (out) => runOnce(options, out, disclosure), {
      show: disclosure.text,
      untilFail: options.untilFail === true,
    });
  } catch (error) {
    throw disclosure.error(error);
  }
}

async function runOnce(options: RunOptions, folder: string, disclosure: Disclosure): Promise<number> {
  const specification = readSpecification();
  const prepared = await prepareSelected(options, specification);
  const execution = disclosure.execution(prepared, options.cucumberOptions);
  const createDriver = loadDriver(options.driver);
  const expectedCapabilities = readExpectedCapabilities(options.expectCapabilities);
  const [clauses, faults] = [specification.clauses, faultEvidence(options.proof, suiteCommit())];
  const dictionary = faultDictionary();
  const ownDeviations = deviationsOfUser(options.deviations ?? [], clauses);
  const deviations = [...knownDeviations(clauses), ...ownDeviations];
  const order = otherOrder(execution);
  const history = options.history === undefined ? undefined : new AllureHistory(options.history, disclosure.json);
  const out = new OutFolder(folder);
  const progress = new Progress(process.stderr, disclosure.text);
  const interruption = new Interruption(() => {
    endEarly(out, disclosure.text);
  });
  const stayed = endsAtExit(out, disclosure.text);
  try {
    const recorder = new Recorder(join(out.partial, 'messages.ndjson'), disclosure.message);
    const starting = createDriver({
      ...options,
      progress: (line) => {
        progress.tell(line);
      },
    });
    const [driver] = await Promise.all([starting, loadSteps(execution)]);
    closesEarly(driver, interruption);
    disclosure.learn(driver);
    const isListed = await knownHere(driver, options, deviations, specification.rules);
    progress.tell(headingOf(options, driver, order));
    const problems = await record(driver, progress, { ...execution, isListed }, (envelope) => {
      recorder.record(envelope);
      if (envelope.testCaseFinished) out.keep('interrupted');
    });
    const interrupted = interruption.exitCode !== undefined;
    const against = { clauses, deviations, ...(expectedCapabilities && { expectedCapabilities }) };
    const recording = { envelopes: recorder.envelopes, info: infoOf(options, driver, order), ...against, interrupted };
    const judged = disclosure.judge(recording, recorder.shown, ownDeviations);
    if (judged.scenarios.length === 0) throw new HarnessError('no scenario ran', 'the selection leaves none');
    const whole = {
      ...judged,
      problems: [...judged.problems, ...problems.map((problem) => disclosure.text(problem))],
      faults,
    };
    const end = {
      interrupted,
      failure: recorder.complete(),
      causes: causesOf(whole, dictionary),
      edges: edgesOf(driver, judged.scenarios.length, disclosure),
      verbose: options.verbose === true,
      ...endOf(whole, interruption),
    };
    return await reportRun(whole, out, end, history, disclosure.text);
  } finally {
    interruption.end();
    endEarly(out, disclosure.text);
    stayed();
  }
}

function edgesOf({ edges }: Driver, scenarios: number, disclosure: Disclosure): RunEnd['edges'] {
  if (edges === undefined) return undefined;
  const file = disclosure.json(edgesText(edges, suiteVersion(), scenarios));
  return { words: disclosure.text(reachedInWords(edges)), file };
}

/** The exit code of a run, and what stops the making of its report. */
function endOf(whole: JudgedRun, interruption: Interruption): Pick<RunEnd, 'exitCode' | 'signal'> {
  const html = new AbortController();
  interruption.calls(() => {
    html.abort();
  });
  const code = exitCode(whole.verdicts, whole.problems);
  return {
    signal: html.signal,
    exitCode: (reported) => interruption.exitCode ?? (code || (reported ? 0 : brokenSetup)),
  };
}

function prepareSelected(options: RunOptions, specification: Specification): Promise<Execution> {
  const { again, authority, cucumberOptions, order } = options;
  if (again !== undefined && options.selectors.length > 0) {
    throw new UsageError('--again names what runs', 'leave out what stands beside it');
  }
  const selectors = again === undefined ? options.selectors : scenariosAgain(again, specification);
  const paths = selectPaths(selectors, specification);
  const tags = authority && selectAuthorities(authority, selectors, specification);
  return prepare(paths, cucumberOptions, order, tags);
}

/** What runs, where the progress begins. */
function headingOf({ driver, authority }: RunOptions, { dut }: Driver, order: string | undefined): string {
  const inOrder = order === undefined ? '' : `, order ${order}`;
  const ofAuthority = authority === undefined ? '' : `, authority ${authority.join(' or ')}`;
  return `verbspec: ${driver}, device ${dut.hcaId}${inOrder}${ofAuthority}`;
}

function infoOf({ driver, authority, label, given }: RunOptions, { dut }: Driver, order: string | undefined): RunInfo {
  return {
    suite: { version: suiteVersion(), commit: suiteCommit() },
    driver,
    dut,
    ...(label !== undefined && { label }),
    ...(given && { options: given.map(replaceCredentials) }),
    ...(order !== undefined && { order }),
    ...(authority && { authorities: authority }),
  };
}

/** Ends a run that had no end in order: what was recorded lies beside the results of an earlier run. */
function endEarly(out: OutFolder, show: (line: string) => string): void {
  const elsewhere = out.end();
  if (elsewhere !== undefined) process.stderr.write(`verbspec: what ran until then is in ${show(elsewhere)}\n`);
}

/** However the process ends, no partial results stay behind. @returns takes it back */
function endsAtExit(out: OutFolder, show: (line: string) => string): () => void {
  const end = (): void => {
    endEarly(out, show);
  };
  process.once('exit', end);
  return () => process.off('exit', end);
}

/** What comes of a signal, or of a failure that nobody handles: the rest of the run is broken, and it ends in order. */
function closesEarly(driver: Driver, interruption: Interruption): void {
  const close = (why: string): void => {
    driver.close(why).catch(() => undefined); // the run closes it again, and reports
  };
  interruption.calls((signal) => {
    close(`the run was interrupted by ${signal}`);
  });
  onFailure(close);
}

/** What is known of the device. @throws UsageError if the list says two things of a scenario */
async function knownHere(
  driver: Driver,
  { driver: name }: RunOptions,
  deviations: readonly ListedDeviation[],
  rules: readonly FeatureRule[],
): Promise<IsListed> {
  const conditions = { driver: name, dut: driver.dut };
  await refusing(driver, () => {
    refuseClash(deviations, conditions, rules);
  });
  return knownOf(deviations, conditions);
}

/** What the user has to put right before the run leaves no device behind. */
async function refusing(driver: Driver, check: () => void): Promise<void> {
  try {
    check();
  } catch (error) {
    await driver.close().catch(() => undefined); // the refusal is what the user has to hear of
    throw error;
  }
}

/** @returns what went wrong when the device was let go; the scenarios that ran still count */
async function record(
  driver: Driver,
  progress: Progress,
  { isListed, ...execution }: Execution & { readonly isListed: IsListed },
  onMessage: (envelope: Envelope) => void,
): Promise<readonly string[]> {
  let problems: readonly string[] = [];
  try {
    const hear = (envelope: Envelope): void => {
      onMessage(envelope);
      progress.follow(envelope);
    };
    await execute(driver, execution, hear, isListed);
  } finally {
    progress.end();
    problems = await letGo(driver);
    onFailure(undefined);
  }
  return problems;
}

async function letGo(driver: Driver): Promise<readonly string[]> {
  try {
    await driver.close();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** What a driver's folder of results is called: its name, or that of its module. */
function nameOf(driver: string): string {
  return parse(driver).name;
}
