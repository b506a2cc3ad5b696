import { failing } from '../../catalog/verdict';
import type { JudgedScenario } from '../judge/judged-run';
import type { Finding } from '../judge/outcome';
import { signatureOf, type Signature } from './signature';

/** A scenario that fails a run, and what is first to be said of it. */
export interface Failure {
  readonly scenario: JudgedScenario;
  /** The most severe of what no listed deviation explains. */
  readonly finding: Finding;
  readonly signature: Signature;
}

/** What failed in a scenario; nothing where it did not fail, or where a listed deviation did not show. */
export function failureOf(scenario: JudgedScenario): Failure | undefined {
  const [finding] = scenario.unexplained;
  if (finding?.verdict !== scenario.verdict || !failing.has(finding.verdict)) return undefined;
  return { scenario, finding, signature: signatureOf(finding) };
}
