import { basename } from 'node:path';
import { type Verdicts } from '../../reports/judge/verdicts';

/** What one run says of one thing. */
export interface Saying {
  /** The verdict of a scenario, the state of a deviation, the exit code of the run. */
  readonly verdict: string;
  readonly detail?: string;
  /** File of the calls, in the folder of the run. */
  readonly trace?: string;
}

/** What one run says, by what it says it of: the same names in each run, whatever its order. */
export type Sayings = ReadonlyMap<string, Saying>;

/** What a run came to. */
export interface Outcome {
  readonly exitCode: number;
  readonly verdicts?: Verdicts;
  /** The last that it said of what went wrong. */
  readonly lastWords: string;
}

const exitCodeName = 'exit code';

/** What is said of that which another run alone speaks of. */
export const silence: Saying = { verdict: 'absent' };

/** Takes down what a run says: of each scenario, of each listed deviation, and its exit code. */
export function sayingsOf({ exitCode, verdicts, lastWords }: Outcome): Sayings {
  return new Map([
    ...(verdicts === undefined ? [] : [...scenarioSayings(verdicts), ...deviationSayings(verdicts)]),
    [exitCodeName, { verdict: String(exitCode), ...(lastWords !== '' && { detail: lastWords }) }],
  ]);
}

/** Scenarios of one name, which an outline has, are counted in the order of their lines. */
function scenarioSayings({ rules }: Verdicts): Map<string, Saying> {
  const said = new Map<string, Saying>();
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

function deviationSayings({ deviations = [] }: Verdicts): Map<string, Saying> {
  const said = new Map<string, Saying>();
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
