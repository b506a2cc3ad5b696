import { oneLine } from '../../catalog/plain-text';
import { describeFinding } from '../judge/judge';
import type { JudgedRun, JudgedScenario } from '../judge/judged-run';
import { paint, type Layout } from './summary-layout';
import { wrap } from '../evidence/wrap';

/** The scenarios that one and the same thing has blocked. */
interface Cause {
  readonly words: string;
  readonly first: JudgedScenario;
  readonly count: number;
}

/** What has blocked scenarios, each cause once, those that blocked most first: one refusal may be in the way of all. */
export function blockedPart({ scenarios }: JudgedRun, layout: Layout): string[][] {
  const causes = causesOf(scenarios.filter(({ verdict }) => verdict === 'blocked'));
  return causes.length === 0
    ? []
    : [[layout.colors.bold('Blocked'), ...causes.flatMap((cause) => causeLines(cause, layout))]];
}

function causesOf(blocked: readonly JudgedScenario[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const scenario of blocked) {
    const words = causeOf(scenario);
    const key = kindOf(words);
    const { first = scenario, count = 0, words: told = words } = causes.get(key) ?? {};
    causes.set(key, { words: told, first, count: count + 1 });
  }
  return [...causes.values()].sort((one, other) => other.count - one.count);
}

/** Where it happened differs from scenario to scenario, and what happened does not. */
function causeOf({ unexplained }: JudgedScenario): string {
  const finding = unexplained.find(({ verdict }) => verdict === 'blocked');
  return finding === undefined ? '' : describeFinding({ ...finding, where: '' });
}

/** The same words about other objects, other numbers or another time are about the same. */
function kindOf(words: string): string {
  return words.replace(/"[^"]*"/g, '""').replace(/\b(?:0x[\da-f]+|\d+)\b/gi, '0');
}

function causeLines({ words, first, count }: Cause, layout: Layout): string[] {
  const { uri, line, name } = first.recorded;
  const [head = '', ...others] = wrap(
    `${count} ${count === 1 ? 'scenario' : 'scenarios'}: ${oneLine(words)}`,
    layout.columns,
    '  ',
    '    ',
  );
  const example = `${count === 1 ? 'it is' : 'one is'} "${oneLine(name)}", ${uri}:${line}`;
  return [
    paint('blocked', head, layout),
    ...others.map((text) => paint('blocked', text, layout)),
    ...wrap(example, layout.columns, '    ').map((text) => layout.colors.dim(text)),
  ];
}
