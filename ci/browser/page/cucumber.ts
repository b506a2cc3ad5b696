/**
 * What steps import of Cucumber. Cucumber itself is a program for Node.js, so the bundle for a browser has this in its
 * place: it keeps what the steps define, for {@link StepLibrary} to find.
 */
import { ParameterType, ParameterTypeRegistry, type RegExps } from '@cucumber/cucumber-expressions';
import World from '@cucumber/cucumber/lib/support_code_library_builder/world';

/** A step or a hook. */
export type Code = (this: unknown, ...args: unknown[]) => unknown;

/** A step of the vocabulary. */
export interface StepDefinition {
  readonly pattern: string | RegExp;
  readonly code: Code;
}

/** All that the steps have defined. */
export const defined = {
  steps: [] as StepDefinition[],
  before: [] as Code[],
  after: [] as Code[],
  parameterTypes: new ParameterTypeRegistry(),
  wrapper: (code: Code): Code => code,
  World,
};

function defineStep(pattern: string | RegExp, code: Code): void {
  defined.steps.push({ pattern, code });
}

export { defineStep as Given, defineStep as Then, defineStep as When, World };

export function Before(code: Code): void {
  defined.before.push(code);
}

/** Those that were defined last run first. */
export function After(_options: object, code: Code): void {
  defined.after.unshift(code);
}

/** Nothing that is known of a device lets a scenario go on here. */
export function BeforeStep(): void {
  return;
}

export { BeforeStep as AfterStep };

interface ParameterTypeDefinition {
  readonly name: string;
  readonly regexp: RegExps;
  readonly transformer: (...match: string[]) => unknown;
}

export function defineParameterType({ name, regexp, transformer }: ParameterTypeDefinition): void {
  defined.parameterTypes.defineParameterType(new ParameterType(name, regexp, null, transformer));
}

export function setDefinitionFunctionWrapper(wrapper: typeof defined.wrapper): void {
  defined.wrapper = wrapper;
}

export function setWorldConstructor(own: typeof World): void {
  defined.World = own;
}

/** Steps ask for none, and have none here. */
export function setDefaultTimeout(ms: number): void {
  if (ms !== -1) throw new Error(`a step may take ${ms} ms, but nothing here watches the time of steps`);
}

export { TestStepResultStatus as Status } from '@cucumber/messages';
