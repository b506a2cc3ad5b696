import { AfterStep, BeforeStep, type ITestStepHookParameter } from '@cucumber/cucumber';
import { PickleStepType, type GherkinDocument, type Step } from '@cucumber/messages';
import { comparisonOf, KnownDeviation } from '../../drivers/contract';
import { isListed } from './dut';

const stepsUnderWay = new WeakMap<object, ITestStepHookParameter>();
const deviations = new WeakMap<object, KnownDeviation>();

BeforeStep(function (this: object, step: ITestStepHookParameter) {
  stepsUnderWay.set(this, step);
});

AfterStep(function (this: object) {
  stepsUnderWay.delete(this);
});

/**
 * Whether a scenario goes on after an error: a Then step failed just as the list of deviations says, and what the steps
 * after it show is worth knowing.
 */
export function goesOnAfter(error: unknown, world: object): boolean {
  const step = stepsUnderWay.get(world);
  const comparison = comparisonOf(error);
  if (step?.pickleStep.type !== PickleStepType.OUTCOME || comparison === undefined) return false;
  const { pickle } = step;
  const failed = { tags: pickle.tags.map(({ name }) => name), scenario: pickle.name, step: titleOf(step), comparison };
  if (!isListed(failed)) return false;
  if (!deviations.has(world)) deviations.set(world, new KnownDeviation((error as Error).message));
  return true;
}

/** The first known deviation of a scenario, if it went on after one. */
export function deviationIn(world: object): KnownDeviation | undefined {
  return deviations.get(world);
}

function titleOf({ pickleStep: { text, astNodeIds }, gherkinDocument }: ITestStepHookParameter): string {
  const written = stepsIn(gherkinDocument).find(({ id }) => astNodeIds.includes(id));
  return `${written?.keyword ?? ''}${text}`;
}

function stepsIn({ feature }: GherkinDocument): Step[] {
  const children = feature?.children ?? [];
  return [...children, ...children.flatMap(({ rule }) => rule?.children ?? [])].flatMap(
    ({ background, scenario }) => background?.steps ?? scenario?.steps ?? [],
  );
}
