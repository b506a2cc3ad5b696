import { join } from 'node:path';
import { UsageError, type DriverOptions } from '../../drivers/contract';
import { clauseOf } from '../../drivers/explore/clause-of';
import { Explorer, type Finding } from '../../drivers/explore/explorer';
import { shown } from '../../drivers/explore/shown';
import { callsOf, isPort, type Program } from '../../drivers/programs/program';
import { oneLine } from '../../catalog/plain-text';
import { Interruption } from '../common/interruption';
import { root } from '../common/project';
import { OutFolder } from '../out/out-folder';
import { emit } from './emit/emit';
import { writeTo } from '../out/write-file';
import { hasLinkOfOthers } from '../../drivers/explore/generate/avoided';
import { startDevice, type Device } from './device';
import { ledgerText } from './ledger-text';
import { readCorpus } from './programs';
import type { CallScenario } from './emit/read-feature';
import { readScenario } from './emit/read-scenario';
import { failedDemand } from './emit/demands';
import { Session } from './session';
import { scenarioEdges } from './scenario-edges';
import { writeCoverage } from './write-coverage';
import { edgeCoverage, type ScenarioEdges } from '../../reports/cell-coverage/edges';

/** What the user asks of `verbspec explore`. */
export interface ExploreOptions extends Omit<DriverOptions, 'progress'> {
  readonly driver: string;
  readonly seed: number;
  /** Seconds. */
  readonly for?: number;
  readonly programs?: number;
  readonly replay?: string;
  readonly minimise?: string;
  readonly ledger: boolean;
  /** Whether it is shown which cells were reached. */
  readonly coverage: boolean;
  /** What scenarios have reached of the kernel module: a file of `verbspec run`. */
  readonly edges?: string;
  /** What the finding is to be written as. */
  readonly emit?: string;
  readonly finding?: string;
  readonly corpus?: string;
  readonly out?: string;
  /** The seed of a deterministic VM. */
  readonly deterministic?: number;
}

/** Seconds that it lasts by default. */
const usualSeconds = 60;

/** Milliseconds for which a finding is made smaller on a device, where each try takes its time. */
const shrinkOnDevicesMs = 60_000;

/**
 * Runs random programs on a device, and writes those down on which it is wrong.
 *
 * @returns the exit code
 */
export async function explore(options: ExploreOptions): Promise<number> {
  refuseTogether(options);
  if (options.emit !== undefined) return emit(options.emit, options.finding, options.out);
  const file = options.replay ?? options.minimise;
  const given = file === undefined ? undefined : readScenario(file);
  const known = scenarioEdges(options);
  const corpus = options.corpus === undefined ? [] : readCorpus(options.corpus);
  const out = new OutFolder(options.out ?? join(root, 'reports', 'out', 'explore'), 'explore');
  const interruption = new Interruption(() => {
    out.end();
  });
  try {
    const device = await startDevice(options.driver, { ...options, progress: say });
    try {
      return await exploreOn(device, { options, given, known, corpus, out, interruption });
    } finally {
      await device.close();
    }
  } finally {
    out.end();
    interruption.end();
  }
}

interface Task {
  readonly options: ExploreOptions;
  readonly given: CallScenario | undefined;
  readonly known: ScenarioEdges | undefined;
  readonly corpus: readonly Program[];
  readonly out: OutFolder;
  readonly interruption: Interruption;
}

async function exploreOn(device: Device, task: Task): Promise<number> {
  const { options, given, out, interruption } = task;
  const { patience, excused, execute } = device;
  const explorer = new Explorer(device.backend, { patience, excused, ...(execute && { execute }) });
  const corpus = playable(task, device);
  const { driver, seed } = options;
  const session = new Session(explorer, {
    driver,
    seed,
    folder: out.partial,
    say,
    ...(driver !== 'sim' && options.minimise === undefined && { shrinkMs: shrinkOnDevicesMs }),
    isUnsteady: driver !== 'sim' && options.deterministic === undefined,
    countsCells: options.coverage,
    ...(options.corpus !== undefined && { corpus: options.corpus }),
  });
  interruption.calls(() => {
    session.stop();
  });
  writeTo(join(out.partial, 'explore.json'), session.summary());
  out.keep('interrupted');
  if (given === undefined) await session.explore(corpus, device, limitOf(options));
  else await session.one(given.program, options.minimise !== undefined);
  if (given !== undefined) tellDemand(await failedDemand(given, device), session.findings.length > 0);
  writeTo(join(out.partial, 'explore.json'), session.summary());
  if (options.coverage) tellCoverage(session, device, task);
  out.keep(interruption.exitCode === undefined ? 'whole' : 'interrupted');
  tellEnd(session, options, out);
  return interruption.exitCode ?? (session.findings.length > 0 ? 1 : 0);
}

/**
 * The programs of the corpus that the device lets be run.
 *
 * @throws UsageError if it does not let that program be run which the user has named
 */
function playable({ given, corpus, options }: Task, { avoided }: Device): readonly Program[] {
  if (!hasLinkOfOthers(avoided)) return corpus;
  const others =
    options.driver === 'soft-roce' ? 'leave out --deterministic and --kernel host' : 'take --driver soft-roce';
  if (given?.program.ops.some(isPort) === true)
    throw new UsageError('the program moves the link of the port, which cannot be done there', others);
  const played = corpus.filter(({ ops }) => !ops.some(isPort));
  const left = corpus.length - played.length;
  if (left > 0) say(`left out of the corpus, for they move the link of the port, which cannot be done there: ${left}`);
  return played;
}

function tellCoverage(session: Session, device: Device, { known, out }: Task): void {
  const reached = device.edges?.();
  const edges = reached && edgeCoverage(reached, known);
  process.stdout.write(`${writeCoverage(session, edges, out.partial)}\n`);
}

function limitOf({ programs, for: seconds }: ExploreOptions) {
  return {
    programs: programs ?? Infinity,
    seconds: seconds ?? (programs === undefined ? usualSeconds : Infinity),
  };
}

function tellEnd(session: Session, { ledger, seed }: ExploreOptions, out: OutFolder): void {
  const { findings, programs, calls, inconclusive, unrepeated, lacks, seconds } = session;
  if (ledger) process.stdout.write(`${ledgerText(session.explorer.ledger)}\n`);
  for (const [index, finding] of findings.entries()) process.stdout.write(`${findingLine(index + 1, finding)}\n`);
  for (const [clause, count] of session.explorer.ledger.excused)
    process.stdout.write(oneLine(`known: not ${clause}, met ${count} times`) + '\n');
  if (lacks.length > 0) process.stdout.write(`not shown by the device, and left out: ${lacks.join(', ')}\n`);
  const rate = seconds > 0 ? (programs / seconds).toFixed(0) : '0';
  const doubt = [...counted(inconclusive, 'inconclusive'), ...counted(unrepeated, 'wrong once and not again')].join('');
  const counts = `${programs} programs of ${calls} calls in ${seconds.toFixed(1)} s (${rate} a second), seed ${seed}${doubt}`;
  const nothing = `nothing found${inconclusive === 0 ? '' : `; what is inconclusive is in ${out.final}`}`;
  process.stdout.write(
    `${counts}: ${findings.length === 0 ? nothing : `${findings.length} findings in ${out.final}`}\n`,
  );
}

const counted = (count: number, what: string): string[] => (count === 0 ? [] : [`, ${count} ${what}`]);

/** A scenario names one of the things that may be expected: whether another one is allowed as well, the oracles say. */
function tellDemand(failed: string | undefined, isWrong: boolean): void {
  if (failed === undefined) return;
  process.stdout.write(`${oneLine(failed)}${isWrong ? '' : ', which the pages allow as well'}\n`);
}

function findingLine(number: number, { oracle, difference, program }: Finding): string {
  const { verb, what, expected, observed } = difference;
  const calls = callsOf(program).length;
  const text = `${verb} ${what}: expected ${shown(expected)}, observed ${shown(observed)}`;
  return oneLine(`finding-${number}: ${clauseOf(difference)} (${oracle}, ${calls} calls): ${text}`);
}

function say(line: string): void {
  process.stderr.write(`${oneLine(line)}\n`);
}

function refuseTogether({
  replay,
  minimise,
  programs,
  for: seconds,
  corpus,
  emit: kind,
  finding,
  coverage,
  edges,
}: ExploreOptions): void {
  if (finding !== undefined && kind === undefined) {
    throw new UsageError('a finding is named without --emit', 'name it after --replay or --minimise');
  }
  if (kind !== undefined && [replay, minimise, programs, seconds, corpus].some((one) => one !== undefined)) {
    throw new UsageError('--emit runs nothing', 'leave out --replay, --minimise, --for, --programs and --corpus');
  }
  if (kind !== undefined && (coverage || edges !== undefined))
    throw new UsageError('--emit runs nothing', 'leave out --coverage and --edges');
  if (replay !== undefined && minimise !== undefined) {
    throw new UsageError('--replay and --minimise are for one program each', 'leave out one of them');
  }
  if (corpus !== undefined && (replay ?? minimise) !== undefined) {
    throw new UsageError('--replay and --minimise run one program', 'leave out --corpus');
  }
}
