import { acceptable } from '../../reports/proof/proof-accepted';
import { judgeProof } from '../../reports/proof/proof-judge';
import { reliancesOf } from '../../reports/proof/reliances';
import { openScenarios, thenRecords } from '../../reports/proof/then-steps';
import { writeAccepted } from './accepted';
import { runProof, type ProofPlan, type ProofRuns } from './proof-runs';
import { writeRecords, type Records } from './records';

/**
 * Takes what a proof of everything shows for what has to be shown from now on. For Then steps that fail first under no fault
 * of their rule, it looks for one of other rules.
 *
 * @param suite - as for {@link judgeProof}
 * @returns what ran, the search included
 */
export async function accept(
  plan: ProofPlan,
  { sound, faults }: ProofRuns,
  before: Records,
  suite: Parameters<typeof judgeProof>[0]['suite'],
): Promise<ProofRuns> {
  const isOpen = openScenarios(sound, faults);
  const searched = await runProof({ ...plan, isToEnd: (_fault, scenario) => isOpen(scenario) });
  writeAccepted(acceptable(searched.sound, searched.faults));
  writeRecords({
    reliances: reliancesOf(judgeProof({ ...searched, suite }).faults),
    thenSteps: thenRecords(searched.sound, searched.faults, before.thenSteps),
  });
  return searched;
}
