import { AstBuilder, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin';
import { IdGenerator, type Step } from '@cucumber/messages';
import { oneLine } from '../../../catalog/plain-text';
import { UsageError } from '../../../drivers/contract';
import { checkedProgram } from '../../../drivers/programs/check-program';
import { callsOf, programVersion, type Program, type ProgramValue } from '../../../drivers/programs/program';
import { steps } from './feature';
import { readOps } from './notation/read';
import { readValue } from './notation/read-value';

/** What a scenario says that a call gives. */
export interface Demand {
  /** The place of the call, from 0. */
  readonly at: number;
  readonly verb: string;
  /** `returned`, `wc[0].status`. */
  readonly what: string;
  readonly expected: ProgramValue;
}

/** A scenario of calls. */
export interface CallScenario {
  readonly program: Program;
  readonly demands: readonly Demand[];
}

const demandPattern = /^call (\d{1,3}), ([a-z_ ]+), gives (\w+(?:\[\d+\])?(?:\.\w+)?) = (.*)$/;

/** Reads a feature that `featureText` has written, or one like it. @throws UsageError in one line */
export function readFeature(text: string): CallScenario {
  const feature = parsed(text);
  const scenarios = feature?.children.flatMap(({ scenario }) => scenario ?? []) ?? [];
  const [scenario] = scenarios;
  if (scenario === undefined || scenarios.length > 1 || feature?.children.length !== 1)
    throw new UsageError('the feature has not one scenario', 'name a file that verbspec explore has written');
  const [calls, ...others] = scenario.steps;
  if (calls?.text !== steps.calls || calls.docString === undefined)
    throw new UsageError(`the scenario does not begin with "${steps.calls}" and its calls`);
  const seed = /^Program (\S+)$/.exec(commentOf(text))?.[1] ?? 'feature';
  const program = checkedProgram({ version: programVersion, seed, ops: readOps(calls.docString.content) });
  return { program, demands: others.flatMap((step) => demandOf(step, program)) };
}

/** The comment above the scenario. */
const commentOf = (text: string): string => /^ {2}# (Program .*)\n {2}Scenario: /m.exec(text)?.[1] ?? '';

function parsed(text: string) {
  try {
    return new Parser(new AstBuilder(IdGenerator.incrementing()), new GherkinClassicTokenMatcher()).parse(text).feature;
  } catch (error) {
    throw new UsageError(`the feature cannot be read: ${oneLine((error as Error).message).slice(0, 200)}`);
  }
}

function demandOf({ text }: Step, program: Program): Demand[] {
  if (text === steps.every) return [];
  const [, number, verb = '', what = '', value = ''] = demandPattern.exec(text) ?? [];
  if (number === undefined) throw new UsageError(`"${oneLine(text).slice(0, 80)}" is no step of a scenario of calls`);
  const at = Number(number) - 1;
  if (callsOf(program)[at]?.call !== verb) throw new UsageError(`call ${number} of the scenario is not ${verb}`);
  return [{ at, verb, what, expected: readValue(value) }];
}
