import { selected, type Selection } from '../../cli/prove/systematic/selection';
import { systematicFaults } from '../../drivers/sim/faults/systematic';
import { diagnose } from '../../reports/diagnosis/diagnose';
import type { FaultIndex } from '../../reports/diagnosis/fault-index';
import type { Observation } from '../../reports/diagnosis/observation';
import { FaultyRuns } from './faulty-runs';
import { unlearned } from './states/learned-faults';
import { systematicVerdict } from './systematic-truth';
import type { Diagnosed } from './verdicts';

/**
 * Runs a sample of the systematic faults whole, and diagnoses each with the planted ones and the states. Those that fail nothing
 * are left out, as are those that the states were learned from, and what is almost the same.
 */
export async function diagnoseSystematic(
  index: FaultIndex,
  rules: Observation['rules'],
  selection: Selection,
): Promise<Diagnosed[]> {
  const runs = await FaultyRuns.begin();
  const faults = systematicFaults();
  const all: Diagnosed[] = [];
  for (const fault of unlearned(selected(faults, selection), faults)) {
    const { failed, differing } = await runs.under(fault);
    if (failed.size === 0) continue;
    const passed = new Set([...rules.keys()].filter((key) => !failed.has(key)));
    const [first] = diagnose({ failed, passed, differing, rules }, index).explanations;
    const verdict = systematicVerdict(fault, failed, first);
    all.push({ name: fault.name, kind: 'systematic', fails: failed.size, first, verdict });
  }
  return all;
}
