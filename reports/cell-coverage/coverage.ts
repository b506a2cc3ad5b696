import { edgeTotals, type EdgeCoverage } from './edges';
import { inWords, share } from './share';

/** A cell: what an operation comes to in a state of the object that it is about, and who has reached it. */
export interface CoveredCell {
  readonly kind: string;
  readonly state: string;
  readonly operation: string;
  readonly outcome: string;
  readonly byExplore: boolean;
  readonly byScenarios: boolean;
  /** Whether it is among those that are known to be reachable. */
  readonly isListed: boolean;
}

/** Which cells a run of `verbspec explore` has reached. */
export interface CellCoverage {
  /** Its version. */
  readonly suite: string;
  readonly driver: string;
  readonly device: string;
  readonly seed: number;
  readonly programs: number;
  readonly cells: readonly CoveredCell[];
  /** Those of the kernel module of the device, where it records them. */
  readonly edges?: EdgeCoverage;
}

/** How many of the listed cells who has reached. */
export interface CellTotals {
  readonly reachable: number;
  readonly explore: number;
  readonly scenarios: number;
  readonly both: number;
  readonly none: number;
  /** Reached by explore, and not among the listed ones. */
  readonly unlisted: number;
}

export function totalsOf(cells: readonly CoveredCell[]): CellTotals {
  const listed = cells.filter(({ isListed }) => isListed);
  const count = (has: (cell: CoveredCell) => boolean): number => listed.filter(has).length;
  return {
    reachable: listed.length,
    explore: count(({ byExplore }) => byExplore),
    scenarios: count(({ byScenarios }) => byScenarios),
    both: count(({ byExplore, byScenarios }) => byExplore && byScenarios),
    none: count(({ byExplore, byScenarios }) => !byExplore && !byScenarios),
    unlisted: cells.length - listed.length,
  };
}

/** `cells: 1,234 reachable, explore 95.0 %, scenarios 61.2 %`. */
export function totalsInWords(cells: readonly CoveredCell[]): string {
  const { reachable, explore, scenarios, unlisted } = totalsOf(cells);
  const others = unlisted === 0 ? '' : `, and explore ${inWords.format(unlisted)} that are not listed`;
  const shares = `explore ${share(explore, reachable)}, scenarios ${share(scenarios, reachable)}`;
  return `cells: ${inWords.format(reachable)} reachable, ${shares}${others}`;
}

/** The coverage as it is written to a file. */
export function coverageJson({ cells, edges, ...run }: CellCoverage): string {
  const ofModule = edges && { edges: { ...edges, totals: edgeTotals(edges.functions) } };
  return `${JSON.stringify({ schemaVersion: 1, ...run, totals: totalsOf(cells), cells, ...ofModule }, undefined, 1)}\n`;
}
