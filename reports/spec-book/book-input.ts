import type { Clauses } from '../../catalog/clauses';
import type { ListedDeviation } from '../../catalog/deviations';
import type { Ties } from '../../catalog/ties';
import type { Verdicts } from '../judge/verdicts';
import type { FeatureSource } from './gherkin-source';
import type { ManPage } from './man-page';

/** Everything that a spec book is made from. */
export interface BookInput {
  /** Version of rdma-core whose pages these are. */
  readonly edition: string;
  readonly pages: readonly ManPage[];
  readonly ties: Ties;
  readonly clauses: Clauses;
  readonly features: readonly FeatureSource[];
  readonly faults: readonly PlantedFault[];
  readonly deviations: readonly ListedDeviation[];
  readonly runs: readonly Verdicts[];
  /** Where the runs lie, one each: runs that are alike are called by it. */
  readonly folders?: readonly string[];
  readonly suite: Verdicts['suite'];
}

/** A planted departure of the simulator, by name. */
export interface PlantedFault {
  readonly name: string;
  readonly rules: readonly string[];
  readonly effect: string;
}
