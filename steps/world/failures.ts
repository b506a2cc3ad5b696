import { setDefinitionFunctionWrapper, World } from '@cucumber/cucumber';
import { goesOnAfter } from './leniency';
import { comparisonsOf, mediaTypes, RuleViolated } from '../../drivers/contract';

type Definition = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Cucumber records the text of an error alone: what failed is attached as data, by the step or hook in which it did. A
 * failed check that is known of the device ends its step and not its scenario.
 */
setDefinitionFunctionWrapper((definition: Definition): Definition => {
  return function (...args) {
    const rethrow = (error: unknown): void => {
      attachFailure(this, error);
      if (this instanceof World && goesOnAfter(error, this)) return;
      if (error instanceof RuleViolated) beginAtStep(error);
      throw error;
    };
    try {
      const result = definition.apply(this, args);
      return result instanceof Promise ? result.catch(rethrow) : result;
    } catch (error) {
      rethrow(error);
      return undefined;
    }
  };
});

/** Hooks of a whole run have no scenario to attach to. */
function attachFailure(world: unknown, error: unknown): void {
  if (!(world instanceof World)) return;
  for (const comparison of comparisonsOf(error))
    world.attach(JSON.stringify(comparison), { mediaType: mediaTypes.failure, fileName: 'failure.json' });
}

/** Frames of the check itself and of what is around each definition. */
const ownFrame = /[/\\](?:contract[/\\]check|steps[/\\]world[/\\]failures)\.[jt]s:|[/\\]util-arity[/\\]/;

/** A reader of the stack looks for the step. */
function beginAtStep(violated: RuleViolated): void {
  const lines = violated.stack?.split('\n') ?? [];
  violated.stack = lines.filter((line) => !ownFrame.test(line)).join('\n');
}
