import { comparedText } from '../verbs/derived/compared-text';
import { dataOf, isSameData, type Data, type Value } from './data';

/** What a check compares, in values of the scenario. */
export interface Compared {
  /** What is looked at, with objects as the feature names them: `status of the CQEs of CQ "recv_cq"`. */
  readonly subject: string;
  readonly expected: Value;
  readonly observed: Value;
  /** Milliseconds in which it had to come true, where the check waits. */
  readonly withinMs?: number;
}

/** What a failed check compared, as it is recorded: reports show it, and listed deviations match it. */
export interface Comparison extends Compared {
  readonly expected: Data;
  readonly observed: Data;
}

/** The DUT did something else than its rule says. */
export class RuleViolated extends Error {
  override readonly name: string = 'RuleViolated';
  readonly comparison: Comparison;

  constructor(compared: Compared) {
    const comparison = { ...compared, expected: dataOf(compared.expected), observed: dataOf(compared.observed) };
    const { expected, observed } = comparison;
    super(`${subjectText(comparison)}; expected ${comparedText(expected)}, observed ${comparedText(observed)}`);
    this.comparison = comparison;
  }
}

/** The DUT did what nothing in the scenario asked for, whatever its rule is about. */
export class Unexpected extends RuleViolated {
  override readonly name = 'Unexpected';
  /** Each of the things alone, so that a known one does not excuse the others. */
  readonly comparisons: readonly Comparison[];

  /** @param observed - one line for each thing */
  constructor(compared: Compared & { readonly observed: readonly string[] }) {
    super(compared);
    this.comparisons = compared.observed.map((line) => ({ ...this.comparison, observed: [line] }));
  }
}

/**
 * Demands that something holds for which more than one value would do: what is expected names the bound, `{atLeast: 4}`,
 * or the kind of value.
 *
 * @throws {@link RuleViolated} otherwise
 */
export function check(holds: boolean, compared: Compared): asserts holds {
  if (!holds) throw new RuleViolated(compared);
}

/**
 * Demands that the same was observed as expected: values, or lists and structs with the same members.
 *
 * @throws {@link RuleViolated} otherwise
 */
export function checkEqual(compared: Compared): void {
  check(isSameData(dataOf(compared.expected), dataOf(compared.observed)), compared);
}

/** The subject, with the time that it had. */
export function subjectText({ subject, withinMs }: Pick<Comparison, 'subject' | 'withinMs'>): string {
  return withinMs === undefined ? subject : `${subject} within ${withinMs} ms`;
}
