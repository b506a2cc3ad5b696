import { AstBuilder, compile, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin';
import { IdGenerator } from '@cucumber/messages';
import { createDriver } from '../../../drivers/sim';
import { provideDriver } from '../../../steps/world/dut';
import type { Outcome } from './outcome';
import { runScenario } from './run-scenario';
import { StepLibrary } from './step-library';

/**
 * Runs all scenarios of features on the simulator.
 *
 * @param features - the text of each by its path
 * @param fault - the name of a planted fault
 */
export async function runFeatures(features: Readonly<Record<string, string>>, fault?: string): Promise<Outcome[]> {
  const driver = await createDriver({ progress: () => undefined, ...(fault !== undefined && { fault }) });
  provideDriver(driver);
  const library = new StepLibrary();
  const newId = IdGenerator.incrementing();
  const outcomes: Outcome[] = [];
  for (const [uri, text] of Object.entries(features)) {
    const document = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher()).parse(text);
    for (const pickle of compile(document, uri, newId)) outcomes.push(await runScenario(library, document, pickle));
  }
  await driver.close();
  return outcomes;
}
