import { renderJson } from '../../../cli/common/render-json';
import { dictionaryPath, faultDictionary } from '../../../cli/inputs/fault-dictionary';
import { writeTo } from '../../../cli/out/write-file';
import { systematicFaults } from '../../../drivers/sim/faults/systematic';
import type { Observation } from '../../../reports/diagnosis/observation';
import { FaultyRuns } from '../faulty-runs';
import { learnedFaults } from './learned-faults';
import { learnStates, type Shown, type States } from './learn-states';

/**
 * Learns from systematic faults what it looks like when a state goes wrong, and writes that into the dictionary.
 *
 * @returns a line for each state
 */
export async function learn(rules: Observation['rules']): Promise<string[]> {
  const runs = await FaultyRuns.begin();
  const all: Shown[] = [];
  for (const fault of learnedFaults(systematicFaults())) all.push(await runs.under(fault));
  return record(learnStates(all, rules));
}

/** Writes states into the dictionary, in place of those that are there. */
export function record(states: States): string[] {
  writeTo(dictionaryPath, renderJson({ schemaVersion: 1, faults: {}, ...faultDictionary(), states }));
  return Object.entries(states).map(([name, { faults }]) => `${name}: learned from ${faults}`);
}
