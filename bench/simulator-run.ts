/**
 * Runs all features once in this process and prints the scenarios and the CPU milliseconds, start-up included, as JSON:
 * `simulator-run.ts real` on the simulator, `simulator-run.ts empty` with steps and hooks that do nothing.
 */
import { World } from '@cucumber/cucumber';
import { loadSupport, runCucumber, type ISupportCodeLibrary } from '@cucumber/cucumber/api';
import { prepare } from '../cli/run/execute';
import { featurePaths } from '../cli/inputs/features';
import { createDriver } from '../drivers/sim';
import { provideDriver } from '../steps/world/dut';

async function main(kind: string | undefined): Promise<void> {
  if (kind !== 'real' && kind !== 'empty') throw new Error('say real or empty');
  const { configuration, environment } = await prepare(featurePaths());
  const loaded = await loadSupport(configuration, environment);
  const support = kind === 'real' ? loaded : emptied(loaded);
  provideDriver(await createDriver({ progress: () => undefined }));
  let scenarios = 0;
  const { success } = await runCucumber({ ...configuration, support }, environment, ({ testCaseFinished }) => {
    if (testCaseFinished) scenarios += 1;
  });
  if (!success) throw new Error(`the features do not pass with ${kind} steps`);
  const { user, system } = process.cpuUsage();
  process.stdout.write(`${JSON.stringify({ scenarios, cpuMs: (user + system) / 1000 })}\n`);
}

/** What Cucumber's library of support code holds beside what its types declare. */
interface LoadedSupport extends ISupportCodeLibrary {
  readonly stepDefinitions: readonly { readonly code: (...parameters: unknown[]) => unknown }[];
}

/** The same step definitions with empty bodies; Cucumber looks at the number of their parameters. */
function emptied(loaded: ISupportCodeLibrary): ISupportCodeLibrary {
  const support = loaded as LoadedSupport;
  const stepDefinitions = support.stepDefinitions.map((definition): unknown => {
    const code = Object.defineProperty(() => undefined, 'length', { value: definition.code.length });
    return Object.assign(Object.create(Object.getPrototypeOf(definition) as object), definition, { code });
  });
  return Object.assign({}, support, {
    stepDefinitions,
    World,
    beforeTestCaseHookDefinitions: [],
    afterTestCaseHookDefinitions: [],
  });
}

void main(process.argv[2]);
