import { featurePaths } from '../../cli/inputs/features';
import { placeOf, runSound, runWhole, type RecordedScenario } from '../../cli/prove/prove-job';
import { selected, type Selection } from '../../cli/prove/systematic/selection';
import { divergence } from '../../drivers/sim/faults/replay';
import { systematicFaults } from '../../drivers/sim/faults/systematic';
import type { SystematicFault } from '../../drivers/sim/faults/systematic/systematic-fault';
import { diagnose } from '../../reports/diagnosis/diagnose';
import { keysByPlace } from '../../reports/diagnosis/dictionary';
import { differingIn } from '../../reports/diagnosis/members/differing';
import { failureOf, type Failure } from '../../reports/diagnosis/failures';
import type { FaultIndex } from '../../reports/diagnosis/fault-index';
import type { Observation } from '../../reports/diagnosis/observation';
import { shortHash } from '../../reports/diagnosis/scenario-keys';
import { systematicVerdict } from './systematic-truth';
import type { Diagnosed } from './verdicts';

/** Runs a sample of the systematic faults whole, and diagnoses each with the planted ones. Those that fail nothing are left out. */
export async function diagnoseSystematic(
  index: FaultIndex,
  rules: Observation['rules'],
  selection: Selection,
): Promise<Diagnosed[]> {
  const sound = await runSound(featurePaths(), () => undefined);
  const keys = keysByPlace(sound);
  const all: Diagnosed[] = [];
  for (const fault of selected(systematicFaults(), selection)) {
    const failures = await failuresUnder(fault, sound, keys);
    if (failures.size === 0) continue;
    const failed = new Map([...failures].map(([key, { signature }]) => [key, shortHash(signature)]));
    const differing = new Map([...failures].map(([key, { finding }]) => [key, differingIn(finding.comparison)]));
    const passed = new Set([...rules.keys()].filter((key) => !failed.has(key)));
    const [first] = diagnose({ failed, passed, differing, rules }, index).explanations;
    const verdict = systematicVerdict(fault, failed, first);
    all.push({ name: fault.name, kind: 'systematic', fails: failed.size, first, verdict });
  }
  return all;
}

/** A scenario that gets the same answers as without the fault passes as it did. */
async function failuresUnder(
  fault: SystematicFault,
  sound: readonly RecordedScenario[],
  keys: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Failure>> {
  const parts = fault.parts(() => undefined);
  const astray: RecordedScenario[] = [];
  for (const one of sound) {
    if (fault.verb !== undefined && !one.touches.includes(fault.verb)) continue;
    if ((await divergence(parts, one.history)) !== undefined) astray.push(one);
  }
  if (astray.length === 0) return new Map();
  const run = await runWhole(parts, astray, () => undefined);
  return new Map(
    run.flatMap((scenario): [string, Failure][] => {
      const failure = failureOf(scenario);
      const key = keys.get(placeOf(scenario.recorded));
      return failure === undefined || key === undefined ? [] : [[key, failure]];
    }),
  );
}
