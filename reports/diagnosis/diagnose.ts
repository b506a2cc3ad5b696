import type { KnownFault } from './dictionary';

/** What a run showed: keys of scenarios, and hashes of signatures. */
export interface Observation {
  /** The signature that each scenario failed with. */
  readonly failed: ReadonlyMap<string, string>;
  /** The scenarios that ran and did not fail. */
  readonly passed: ReadonlySet<string>;
}

/** Faults that explain the same failures equally well. */
export interface Explanation {
  /** Those with most of their rules violated first. */
  readonly faults: readonly KnownFault[];
  /** Keys of the scenarios that they explain. */
  readonly explained: readonly string[];
  /** How many scenarios passed that the fault fails. */
  readonly missed: number;
}

/** What explains a run, what explains most first, and what nothing explains. */
export interface Diagnosis {
  readonly explanations: readonly Explanation[];
  readonly unexplained: readonly string[];
}

/** What a scenario is worth that fails under a fault too, but with another signature, or may fail under it. */
const likeness = 0.5;
/** What a scenario costs that fails under a fault and passed: devices differ from the simulator in what hides a defect. */
const missing = 0.5;

interface Fit {
  readonly fault: KnownFault;
  readonly explained: readonly string[];
  /** Those among them whose signature is the same. */
  readonly same: number;
  readonly missed: number;
  readonly score: number;
}

/**
 * Explains the failures of a run by known faults: takes the one that explains most of what is unexplained and fails least of
 * what passed, until none gains anything.
 */
export function diagnose({ failed, passed }: Observation, faults: readonly KnownFault[]): Diagnosis {
  const open = new Map(failed);
  const explanations: Explanation[] = [];
  for (let best = bestOf(open, passed, faults); best !== undefined; best = bestOf(open, passed, faults)) {
    explanations.push(best);
    for (const key of best.explained) open.delete(key);
  }
  return { explanations, unexplained: [...open.keys()] };
}

function bestOf(
  open: ReadonlyMap<string, string>,
  passed: ReadonlySet<string>,
  faults: readonly KnownFault[],
): Explanation | undefined {
  const fits = faults.map((fault) => fitOf(fault, open, passed)).filter(({ same, score }) => same > 0 && score > 0);
  const score = Math.max(...fits.map((fit) => fit.score));
  const [first, ...others] = fits.filter((fit) => fit.score === score);
  if (first === undefined) return undefined;
  const { explained, missed } = first;
  const alike = others.filter((fit) => fit.missed === missed && fit.explained.join() === explained.join());
  return { faults: [first, ...alike].map(({ fault }) => fault), explained, missed };
}

function fitOf(fault: KnownFault, open: ReadonlyMap<string, string>, passed: ReadonlySet<string>): Fit {
  const signatures = new Set(fault.fails.values());
  const explained: string[] = [];
  let same = 0;
  for (const [key, signature] of open) {
    const expected = fault.fails.get(key);
    if (expected === undefined && !(fault.isSampled && signatures.has(signature))) continue;
    explained.push(key);
    if (expected === signature) same += 1;
  }
  const missed = [...fault.fails.keys()].filter((key) => passed.has(key)).length;
  const score = same + likeness * (explained.length - same) - missing * missed;
  return { fault, explained, same, missed, score };
}
