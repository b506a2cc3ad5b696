import { dictionaryOf } from '../../../reports/diagnosis/dictionary';
import { acceptable } from '../../../reports/proof/proof-accepted';
import { judgeProof } from '../../../reports/proof/proof-judge';
import { reliancesOf } from '../../../reports/proof/reliances';
import { thenRecords } from '../../../reports/proof/then-steps';
import { renderJson } from '../../common/render-json';
import { dictionaryPath, faultDictionary } from '../../inputs/fault-dictionary';
import { writeTo } from '../../out/write-file';
import { writeAccepted } from './accepted';
import type { ProofRuns } from '../proof-runs';
import { writeRecords, type Records } from '../records';

/**
 * Takes what a proof of everything shows for what has to be shown from now on. All scenarios that meet a fault have run to
 * their end, so that it is known how each of them fails.
 *
 * @param suite - as for {@link judgeProof}
 */
export function accept(
  { sound, faults }: ProofRuns,
  before: Records,
  suite: Parameters<typeof judgeProof>[0]['suite'],
): void {
  writeAccepted(acceptable(sound, faults));
  writeRecords({
    reliances: reliancesOf(judgeProof({ sound, faults, suite }).faults),
    thenSteps: thenRecords(sound, faults, before.thenSteps),
  });
  const dictionary = dictionaryOf(sound, faults, faultDictionary());
  writeTo(dictionaryPath, renderJson(dictionary));
}
