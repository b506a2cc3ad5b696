import { faultDictionary } from '../../cli/inputs/fault-dictionary';
import { featureRules } from '../../cli/inputs/features';
import { HarnessError } from '../../drivers/contract';
import { knownFaults } from '../../reports/diagnosis/dictionary';
import { FaultIndex } from '../../reports/diagnosis/fault-index';
import type { Observation } from '../../reports/diagnosis/observation';
import { scenarioKeys } from '../../reports/diagnosis/scenario-keys';
import { knownStates } from '../../reports/diagnosis/states/known-state';
import { SpoiledStates } from '../../reports/diagnosis/states/spoiled-states';

/** What a diagnosis compares with. */
export interface Known {
  readonly index: FaultIndex;
  /** The rules of each scenario of the features, by its key. */
  readonly rules: Observation['rules'];
  /** The keys of the scenarios, by their `file:line`. */
  readonly keys: ReadonlyMap<string, string>;
}

/** The faults and states of the dictionary, and the scenarios of the features. */
export function readKnown(): Known {
  const dictionary = faultDictionary();
  if (dictionary === undefined) throw new HarnessError('there is no fault dictionary', '`verbspec prove --accept`');
  const scenarios = featureRules().flatMap(({ ids, uri, scenarios: own }) =>
    own.map(({ name, line }) => ({ name, place: `${uri}:${line}`, clauseIds: ids })),
  );
  const keys = scenarioKeys(scenarios);
  const rules = new Map(scenarios.map(({ clauseIds }, index) => [keys[index] ?? '', clauseIds]));
  return {
    index: FaultIndex.of(knownFaults(dictionary), rules, new SpoiledStates(knownStates(dictionary))),
    rules,
    keys: new Map(scenarios.map(({ place }, index) => [place, keys[index] ?? ''])),
  };
}
