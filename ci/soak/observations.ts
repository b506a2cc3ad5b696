import { basename } from 'node:path';
import { type Verdicts } from '../../reports/judge/verdicts';

/** What one run shows of one thing. */
export interface Observation {
  /** The verdict of a scenario, the state of a deviation, the exit code of the run. */
  readonly verdict: string;
  readonly detail?: string;
  /** File of the calls, in the folder of the run. */
  readonly trace?: string;
}

/** What one run shows, by names that are the same in each run, whatever its order. */
export type Observations = ReadonlyMap<string, Observation>;

/** What a run came to. */
export interface RunOutcome {
  readonly exitCode: number;
  readonly verdicts?: Verdicts;
  /** The last that it said of what went wrong. */
  readonly lastWords: string;
}

const exitCodeName = 'exit code';

/** Stands for what only other runs show. */
export const unobserved: Observation = { verdict: 'absent' };

/** The verdict of each scenario, the state of each listed deviation, and the exit code. */
export function observationsOf({ exitCode, verdicts, lastWords }: RunOutcome): Observations {
  return new Map([
    ...(verdicts === undefined ? [] : [...scenarioObservations(verdicts), ...deviationObservations(verdicts)]),
    [exitCodeName, { verdict: String(exitCode), ...(lastWords !== '' && { detail: lastWords }) }],
  ]);
}

/** Scenarios of one name, which an outline has, are counted in the order of their lines. */
function scenarioObservations({ rules }: Verdicts): Map<string, Observation> {
  const said = new Map<string, Observation>();
  const places = new Set<string>();
  for (const { title, scenarios } of rules) {
    for (const { uri, line, name, verdict, detail } of [...scenarios].sort((one, other) => one.line - other.line)) {
      if (places.has(`${uri}:${line}`)) continue; // clauses that share a Rule share its scenarios
      places.add(`${uri}:${line}`);
      const trace = `trace/${basename(uri, '.feature')}-${line}.json`;
      said.set(freeName(`${uri}: ${title}: ${name}`, said), {
        verdict,
        ...(detail !== undefined && { detail }),
        trace,
      });
    }
  }
  return said;
}

function deviationObservations({ deviations = [] }: Verdicts): Map<string, Observation> {
  const said = new Map<string, Observation>();
  for (const { rule, scenario, state, detail } of deviations) {
    const name = ['listed deviation', rule, ...(scenario === undefined ? [] : [scenario])].join(': ');
    said.set(freeName(name, said), { verdict: state, detail });
  }
  return said;
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} (${number})`;
  return free;
}
