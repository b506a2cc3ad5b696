import { ExpressionFactory, type Argument, type Expression } from '@cucumber/cucumber-expressions';
import { defined, type Code } from './cucumber';

/** What a step of a scenario executes, and what its text says. */
export interface Match {
  readonly code: Code;
  readonly arguments: readonly Argument[];
}

/** The definitions of the steps by the texts that they match. Made once all steps and parameter types are defined. */
export class StepLibrary {
  readonly before = defined.before.map(defined.wrapper);
  readonly after = defined.after.map(defined.wrapper);
  readonly #steps: readonly { readonly expression: Expression; readonly code: Code }[];

  constructor() {
    const factory = new ExpressionFactory(defined.parameterTypes);
    this.#steps = defined.steps.map(({ pattern, code }) => ({
      expression: factory.createExpression(pattern),
      code: defined.wrapper(code),
    }));
  }

  /** All definitions that match; exactly one should. */
  matches(text: string): Match[] {
    return this.#steps.flatMap(({ expression, code }) => {
      const match = expression.match(text);
      return match === null ? [] : [{ code, arguments: match }];
    });
  }
}
