import type { DutModule, Edge, FunctionEdges, ModuleEdges } from '../../drivers/contract';
import { inWords, share } from './share';

/** An edge of a kernel module, and who has reached it. */
export interface CoveredEdge extends Edge {
  readonly byExplore: boolean;
  readonly byScenarios: boolean;
}

/** A function with its edges. */
export interface CoveredFunction extends Pick<FunctionEdges, 'file' | 'name'> {
  readonly edges: readonly CoveredEdge[];
}

/** What scenarios have reached in a run of `verbspec run`. */
export interface ScenarioEdges {
  /** How many ran. */
  readonly scenarios: number;
  readonly reached: ReadonlySet<number>;
}

/** Which edges of a kernel module were reached. */
export interface EdgeCoverage {
  readonly module: DutModule;
  /** Scenarios that ran; `undefined` where nothing is known of any, and then none has reached anything. */
  readonly scenarios?: number;
  readonly functions: readonly CoveredFunction[];
}

/** How many edges who has reached. */
export interface EdgeTotals {
  readonly edges: number;
  readonly explore: number;
  readonly scenarios: number;
  readonly both: number;
  readonly neither: number;
}

/** Puts together what a session of explore and a run of the same module have reached. */
export function edgeCoverage({ module, functions, reached }: ModuleEdges, known?: ScenarioEdges): EdgeCoverage {
  return {
    module,
    ...(known && { scenarios: known.scenarios }),
    functions: functions.map(({ file, name, edges }) => ({
      file,
      name,
      edges: edges.map(({ at, line }) => ({
        at,
        line,
        byExplore: reached.has(at),
        byScenarios: known?.reached.has(at) === true,
      })),
    })),
  };
}

export function edgeTotals(functions: readonly CoveredFunction[]): EdgeTotals {
  const edges = functions.flatMap((one) => one.edges);
  const count = (has: (edge: CoveredEdge) => boolean): number => edges.filter(has).length;
  return {
    edges: edges.length,
    explore: count(({ byExplore }) => byExplore),
    scenarios: count(({ byScenarios }) => byScenarios),
    both: count(({ byExplore, byScenarios }) => byExplore && byScenarios),
    neither: count(({ byExplore, byScenarios }) => !byExplore && !byScenarios),
  };
}

/** Functions of which not one edge was reached. */
export function neverReached(functions: readonly CoveredFunction[]): readonly CoveredFunction[] {
  return functions.filter(({ edges }) => edges.every(({ byExplore, byScenarios }) => !byExplore && !byScenarios));
}

/** `edges of rdma_rxe: 2,250 in all, explore 61.2 %, scenarios 70.0 %, 480 reached by neither`. */
export function edgesInWords({ module, scenarios: known, functions }: EdgeCoverage): string {
  const { edges, explore, scenarios, neither } = edgeTotals(functions);
  const ofExplore = `edges of ${module.name}: ${inWords.format(edges)} in all, explore ${share(explore, edges)}`;
  if (known === undefined) return `${ofExplore}, ${inWords.format(neither)} not reached`;
  return `${ofExplore}, scenarios ${share(scenarios, edges)}, ${inWords.format(neither)} reached by neither`;
}

/** `1,493 of 2,250 edges of rdma_rxe reached (66.3 %)`. */
export function reachedInWords({ module, functions, reached }: ModuleEdges): string {
  const edges = functions.reduce((sum, one) => sum + one.edges.length, 0);
  const shares = `${inWords.format(reached.size)} of ${inWords.format(edges)}`;
  return `${shares} edges of ${module.name} reached (${share(reached.size, edges)})`;
}
