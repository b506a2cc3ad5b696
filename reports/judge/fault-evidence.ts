import type { Proof, ProvedFault } from '../proof/proof';

/** What is known of the planted faults of the rules. */
export interface FaultEvidence {
  /** Whether a proof of these very features has shown that each rule catches them. */
  readonly shown: boolean;
  readonly faults: readonly Pick<ProvedFault, 'name' | 'summary' | 'rules'>[];
}

/** What a proof has shown: each fault with the rules that caught it. */
export function evidenceOfProof({ faults }: Proof): FaultEvidence {
  return {
    shown: true,
    faults: faults.map(({ name, summary, killed }) => {
      const rules = Object.entries(killed).flatMap(([rule, scenarios]) => (scenarios.length > 0 ? [rule] : []));
      return { name, summary, rules };
    }),
  };
}

/** Whether a proof is of the suite at this commit; changed files are of no commit. */
export function isOfCommit({ suite }: Proof, commit: string): boolean {
  return suite.commit === commit && /^[0-9a-f]+$/.test(commit);
}

/** The faults that these rules were shown to catch; none where no proof has shown it. */
export function faultsOfRules(
  evidence: FaultEvidence | undefined,
  clauseIds: readonly string[],
): FaultEvidence['faults'] {
  if (evidence?.shown !== true) return [];
  return evidence.faults.filter(({ rules }) => rules.some((rule) => clauseIds.includes(rule)));
}

/** `Shown to fail under: stays-armed (a request is not spent by its event)`; nothing for rules without faults. */
export function faultWords({ shown, faults }: FaultEvidence, clauseIds: readonly string[]): string | undefined {
  const own = faults.filter(({ rules }) => rules.some((rule) => clauseIds.includes(rule)));
  if (own.length === 0) return undefined;
  const listed = own.map(({ name, summary }) => `${name} (${summary})`).join(', ');
  return `${shown ? 'Shown to fail under' : 'Planted faults'}: ${listed}`;
}
