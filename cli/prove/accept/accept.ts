import { dictionaryOf } from '../../../reports/diagnosis/dictionary';
import { acceptable } from '../../../reports/proof/proof-accepted';
import { judgeProof } from '../../../reports/proof/proof-judge';
import { reliancesOf } from '../../../reports/proof/reliances';
import { openScenarios, thenRecords } from '../../../reports/proof/then-steps';
import { renderJson } from '../../common/render-json';
import { dictionaryPath, faultDictionary } from '../../inputs/fault-dictionary';
import { writeTo } from '../../out/write-file';
import { writeAccepted } from './accepted';
import { dictionarySample } from './dictionary-sample';
import { runProof, type ProofPlan, type ProofRuns } from '../proof-runs';
import { writeRecords, type Records } from '../records';

/**
 * Takes what a proof of everything shows for what has to be shown from now on. For Then steps that fail first under no fault
 * of their rule, it looks for one of other rules. For the fault dictionary, some scenarios of other rules run to their end.
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
  const sample = dictionarySample(sound, faults);
  const searched = await runProof({
    ...plan,
    isToEnd: (fault, scenario) => isOpen(scenario) || sample.isToEnd(fault, scenario),
  });
  writeAccepted(acceptable(searched.sound, searched.faults));
  writeRecords({
    reliances: reliancesOf(judgeProof({ ...searched, suite }).faults),
    thenSteps: thenRecords(searched.sound, searched.faults, before.thenSteps),
  });
  const dictionary = dictionaryOf(searched.sound, searched.faults, sample.isSampled, faultDictionary());
  writeTo(dictionaryPath, renderJson(dictionary));
  return searched;
}
