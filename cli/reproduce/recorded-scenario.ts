import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nearest, UsageError } from '../../drivers/contract';
import { oneLine } from '../../catalog/plain-text';
import { parseMessages } from '../../reports/recording/messages';
import { readRun, type RecordedScenario } from '../../reports/recording/recorded-run';
import { scenariosOf, type ScenarioEntry, type Verdicts } from '../../reports/judge/verdicts';
import { suiteVersion } from '../common/project';
import { readNamedFile, resultsBytesMax } from '../inputs/read-file';
import { readRuns } from '../inputs/recorded-runs';

/** A scenario of a recorded run, and its verdict. */
export interface ChosenScenario {
  readonly verdicts: Verdicts;
  readonly entry: ScenarioEntry;
  readonly recorded: RecordedScenario;
}

const messagesName = 'messages.ndjson';
const listedMax = 10;

/**
 * Finds a scenario in the results of a run.
 *
 * @param path - the folder of the run
 * @param wanted - where the scenario stands, `features/cq/ibv_poll_cq.feature:17`, or its name
 * @throws UsageError if the run cannot be used, or has not one such scenario
 */
export function chooseScenario(path: string, wanted: string): ChosenScenario {
  const [run, ...more] = readRuns([path]);
  if (run === undefined || more.length > 0)
    throw new UsageError(`${path} holds several runs`, 'name one of its folders');
  const { verdicts, folder } = run;
  if (verdicts.suite.version !== suiteVersion()) {
    const own = suiteVersion();
    throw new UsageError(`${path} is a run of verbspec ${verdicts.suite.version}; this is ${own}`, 'run it again');
  }
  const entry = entryOf(scenariosOf(verdicts), wanted, path);
  const messages = join(folder, messagesName);
  if (!existsSync(messages)) throw new UsageError(`${path} has no ${messagesName}`, 'name the whole results of a run');
  const recorded = scenariosIn(messages).find(({ uri, line }) => uri === entry.uri && line === entry.line);
  if (recorded === undefined)
    throw new UsageError(`${messages} has nothing of ${placeOf(entry)}`, 'name the whole results of a run');
  return { verdicts, entry, recorded };
}

function scenariosIn(path: string): readonly RecordedScenario[] {
  const text = readNamedFile(path, resultsBytesMax);
  try {
    return readRun(parseMessages(text)).scenarios;
  } catch (error) {
    throw new UsageError(`${path} cannot be used: ${oneLine((error as Error).message)}`, 'run it again');
  }
}

function entryOf(entries: readonly ScenarioEntry[], wanted: string, path: string): ScenarioEntry {
  const found = entries.filter((entry) => placeOf(entry) === wanted || entry.name === wanted);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (first === undefined) {
    const near = nearest(wanted, [...entries.map(placeOf), ...entries.map(({ name }) => name)]);
    const remedy =
      near === undefined ? 'its verdicts.json lists those that there are' : `did you mean "${oneLine(near)}"?`;
    throw new UsageError(`${path} has no scenario "${oneLine(wanted)}"`, remedy);
  }
  const places = found.slice(0, listedMax).map(placeOf).join(', ');
  const others = found.length > listedMax ? ` and ${found.length - listedMax} more` : '';
  throw new UsageError(
    `${path} has ${found.length} scenarios "${oneLine(wanted)}"`,
    `name one of ${oneLine(places)}${others}`,
  );
}

/** Where a scenario stands: `features/cq/ibv_poll_cq.feature:17`. */
export const placeOf = ({ uri, line }: Pick<ScenarioEntry, 'uri' | 'line'>): string => `${uri}:${line}`;
