import { shortHash } from '../../../reports/diagnosis/scenario-keys';
import { isOf } from '../../../reports/proof/reliance';
import type { FaultRun, SoundScenario } from '../../../reports/proof/proof';
import { placeOf } from '../prove-job';

/** Scenarios of other rules that run to their end under one fault: a fault of the CQ itself meets more than a thousand. */
export const sampleMax = 64;

/** The scenarios of other rules that run to their end, so that it is known how they fail. */
export interface DictionarySample {
  readonly isToEnd: (fault: string, scenario: SoundScenario) => boolean;
  /** Whether more scenarios meet a fault than are in the sample. */
  readonly isSampled: (fault: string) => boolean;
}

/** Of the scenarios that go astray under each fault, those that run to their end: all, or as good as by chance. */
export function dictionarySample(sound: readonly SoundScenario[], faults: readonly FaultRun[]): DictionarySample {
  const scenarios = new Map(sound.map((one) => [placeOf(one), one]));
  const samples = new Map<string, ReadonlySet<string>>();
  const larger = new Set<string>();
  for (const { fault, stray } of faults) {
    const others = stray.map(placeOf).filter((place) => {
      const scenario = scenarios.get(place);
      return scenario !== undefined && !isOf(scenario, fault.rules);
    });
    if (others.length > sampleMax) larger.add(fault.name);
    samples.set(fault.name, new Set(sampleOf(others, scenarios)));
  }
  return {
    isToEnd: (fault, scenario) => samples.get(fault)?.has(placeOf(scenario)) === true,
    isSampled: (fault) => larger.has(fault),
  };
}

/** By a hash of their names, so that it stays the same when lines move. */
function sampleOf(places: readonly string[], scenarios: ReadonlyMap<string, SoundScenario>): string[] {
  const drawn = places.map((place) => ({ place, lot: shortHash(scenarios.get(place)?.name ?? place) }));
  return drawn
    .sort((one, other) => (one.lot < other.lot ? -1 : 1))
    .slice(0, sampleMax)
    .map(({ place }) => place);
}
