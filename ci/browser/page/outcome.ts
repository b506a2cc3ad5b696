import { getWorstTestStepResult, type TestStepResult, type TestStepResultStatus } from '@cucumber/messages';

/** What came of a scenario, as far as it has to be the same wherever the scenario runs. */
export interface Outcome {
  /** Path of its feature file within the project. */
  readonly uri: string;
  /** Line of the scenario, or of the example's row. */
  readonly line: number;
  readonly name: string;
  readonly status: `${TestStepResultStatus}`;
  /** What went wrong in its steps and hooks, in their order. */
  readonly errors: readonly string[];
}

/** What the results of its steps and hooks say of a scenario. */
export function outcomeOf(
  scenario: Pick<Outcome, 'uri' | 'line' | 'name'>,
  results: readonly TestStepResult[],
): Outcome {
  const { uri, line, name } = scenario;
  const errors = results.flatMap(({ exception }) => (exception ? [`${exception.type}: ${exception.message}`] : []));
  return { uri, line, name, status: getWorstTestStepResult(results).status, errors };
}
