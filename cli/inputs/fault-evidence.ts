import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../drivers/contract';
import { faults } from '../../drivers/sim/faults';
import { evidenceOfProof, isOfCommit, type FaultEvidence } from '../../reports/judge/fault-evidence';
import type { Proof } from '../../reports/proof/proof';
import { oneLine } from '../../catalog/plain-text';
import { readProof } from '../../reports/proof/proof-file';
import { proofFolder } from '../common/project';

/**
 * What is known of the planted faults: what a proof of this very commit has shown, or else which faults there are.
 *
 * @param path - `--proof`; the proof that lies in its usual place unless given
 */
export function faultEvidence(path: string | undefined, commit: string): FaultEvidence {
  const proof = path === undefined ? usualProof() : namedProof(path);
  if (proof !== undefined && isOfCommit(proof, commit)) return evidenceOfProof(proof);
  const declared = Object.entries(faults).map(([name, { effect, rules }]) => ({ name, summary: effect, rules }));
  return { shown: false, faults: declared };
}

function namedProof(path: string): Proof {
  if (!existsSync(path)) throw new UsageError(`there is no proof ${path}`, '`verbspec prove --out FOLDER` makes one');
  try {
    return readProof(path);
  } catch (error) {
    const line = oneLine((error as Error).message);
    const why = error instanceof SyntaxError ? 'is not valid JSON' : `cannot be used: ${line}`;
    throw new UsageError(`--proof ${path} ${why}`, '`verbspec prove --out FOLDER` makes a proof.json');
  }
}

/** One of another version of verbspec is as good as none. */
function usualProof(): Proof | undefined {
  const path = join(proofFolder, 'proof.json');
  try {
    return existsSync(path) ? readProof(path) : undefined;
  } catch {
    return undefined;
  }
}
