import type { FaultRun, SoundScenario } from '../proof/proof';
import { isOf } from '../proof/reliance';
import { failuresUnder, keysByPlace, knownFaults, type Dictionary, type KnownFault } from './dictionary';

/**
 * Whether a dictionary is still what a proof comes to, of the scenarios that ran to their end: one line that names the first
 * difference, or none.
 *
 * @param dictionary - `undefined` where there is none yet
 */
export function dictionaryProblems(
  dictionary: Dictionary | undefined,
  sound: readonly SoundScenario[],
  runs: readonly FaultRun[],
): string[] {
  const known = new Map(dictionary === undefined ? [] : knownFaults(dictionary).map((fault) => [fault.name, fault]));
  const names = new Set(runs.map(({ fault }) => fault.name));
  const keys = keysByPlace(sound);
  const differences = [
    ...[...known.keys()].filter((name) => !names.has(name)).map((name) => `there is no fault ${name} any more`),
    ...runs.flatMap((run) => differenceOf(run, known.get(run.fault.name), keys, sound)),
  ];
  const [first] = differences;
  if (first === undefined) return [];
  const more = differences.length === 1 ? '' : ` (and ${differences.length - 1} more)`;
  return [`the fault dictionary is out of date: ${first}${more}: \`verbspec prove --accept\``];
}

function differenceOf(
  run: FaultRun,
  known: KnownFault | undefined,
  keys: ReadonlyMap<string, string>,
  sound: readonly SoundScenario[],
): string[] {
  const { name, effect, rules } = run.fault;
  const now = failuresUnder(run, keys);
  if (known === undefined) return now.size === 0 || run.lost !== undefined ? [] : [`fault ${name} is new`];
  if (known.effect !== effect || known.rules.join() !== rules.join()) return [`fault ${name} says something else`];
  const own = new Set(sound.filter((one) => isOf(one, rules)).map(({ uri, line }) => keys.get(`${uri}:${line}`)));
  const changed = [...now].filter(([key, signature]) => known.fails.get(key) !== signature);
  const gone = [...known.fails.keys()].filter((key) => own.has(key) && !now.has(key));
  const scenarios = changed.length + gone.length;
  if (scenarios === 0) return [];
  return [`${scenarios} ${scenarios === 1 ? 'scenario fails' : 'scenarios fail'} otherwise under fault ${name}`];
}
