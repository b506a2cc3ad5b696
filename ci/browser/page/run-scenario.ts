import type { ITestCaseHookParameter } from '@cucumber/cucumber';
import DataTable from '@cucumber/cucumber/lib/models/data_table';
import {
  Exception,
  getWorstTestStepResult,
  TestStepResult,
  TestStepResultStatus,
  type GherkinDocument,
  type Pickle,
  type PickleStep,
} from '@cucumber/messages';
import { defined, type World } from './cucumber';
import { outcomeOf, type Outcome } from './outcome';
import type { StepLibrary } from './step-library';

/** What a scenario attaches is for reports. */
const unread = { attach: () => Promise.resolve(), log: () => undefined, link: () => undefined };

/** Runs a scenario as Cucumber does: once something has gone wrong, the steps after it are skipped; After hooks run always. */
export async function runScenario(
  library: StepLibrary,
  gherkinDocument: GherkinDocument,
  pickle: Pickle,
): Promise<Outcome> {
  const world = new defined.World({ ...unread, parameters: {} });
  const results: TestStepResult[] = [];
  const worst = (): TestStepResult => getWorstTestStepResult(results);
  const unlessFailed = async (execute: () => unknown): Promise<void> => {
    const isSkipped = results.length > 0 && worst().status !== TestStepResultStatus.PASSED;
    results.push(await attempt(isSkipped ? () => 'skipped' : execute));
  };
  const hook: ITestCaseHookParameter = { gherkinDocument, pickle, testCaseStartedId: pickle.id };
  for (const code of library.before) await unlessFailed(() => code.call(world, hook));
  for (const step of pickle.steps) await unlessFailed(() => runStep(library, world, step));
  for (const code of library.after) {
    const result = worst();
    results.push(await attempt(() => code.call(world, { ...hook, result })));
  }
  return outcomeOf({ uri: pickle.uri, line: pickle.location?.line ?? 0, name: pickle.name }, results);
}

async function runStep(library: StepLibrary, world: World, { text, argument }: PickleStep): Promise<unknown> {
  const [match, ...others] = library.matches(text);
  if (match === undefined) throw new Error(`no step is defined for: ${text}`);
  if (others.length > 0) throw new Error(`${others.length + 1} steps are defined for: ${text}`);
  const values = await Promise.all(match.arguments.map((one) => one.getValue<unknown>(world)));
  const table = argument?.dataTable;
  return match.code.apply(world, table === undefined ? values : [...values, new DataTable(table)]);
}

/** A hook skips the scenario by what it returns. */
async function attempt(execute: () => unknown): Promise<TestStepResult> {
  const result = new TestStepResult();
  try {
    const isSkip = (await execute()) === 'skipped';
    result.status = isSkip ? TestStepResultStatus.SKIPPED : TestStepResultStatus.PASSED;
  } catch (error) {
    result.status = TestStepResultStatus.FAILED;
    const { constructor, message } = error as Error;
    result.exception = Object.assign(new Exception(), { type: constructor.name, message });
  }
  return result;
}
