import { oneLine } from '../../catalog/plain-text';
import { wrap } from '../evidence/wrap';
import type { CiCase } from './cases';

/** A test with the tests within it. */
interface Node {
  readonly name: string;
  readonly children: readonly (Node | CiCase)[];
}

/**
 * A run as KTAP, version 1, as the kernel's own tests report theirs: man page, rule, scenario. A listed deviation that
 * showed is XFAIL, what does not apply SKIP, a hang TIMEOUT, what is broken ERROR.
 */
export function ktap(cases: readonly CiCase[]): string {
  const pages = groupsBy(cases, ({ group }) => group).map(([name, own]): Node => {
    const rules = groupsBy(own, ({ subject }) => subject);
    return { name, children: rules.map(([subject, children]): Node => ({ name: subject, children })) };
  });
  return `${blockOf(pages).join('\n')}\n`;
}

function groupsBy(cases: readonly CiCase[], keyOf: (one: CiCase) => string): [string, CiCase[]][] {
  const keys = [...new Set(cases.map(keyOf))];
  return keys.map((key) => [key, cases.filter((each) => keyOf(each) === key)]);
}

function blockOf(tests: readonly (Node | CiCase)[]): string[] {
  const results = tests.flatMap((test, index) =>
    'children' in test ? nodeLines(test, index + 1) : caseLines(test, index + 1),
  );
  return ['KTAP version 1', `1..${tests.length}`, ...results];
}

/** A test whose parts are all skipped is skipped, and fails if one of them does. */
function nodeLines({ name, children }: Node, number: number): string[] {
  const cases = casesIn(children);
  const isOk = cases.every(({ state }) => state === 'passed' || state === 'skipped');
  const isSkipped = cases.every(({ verdict }) => verdict === 'not-applicable');
  return [
    ...blockOf(children).map((line) => `  ${line}`),
    `${isOk ? 'ok' : 'not ok'} ${number} ${description(name)}${isSkipped ? ' # SKIP' : ''}`,
  ];
}

function casesIn(children: readonly (Node | CiCase)[]): CiCase[] {
  return children.flatMap((child) => ('children' in child ? casesIn(child.children) : [child]));
}

/** A longer text stands in lines of diagnostics before the result: what reads KTAP flattens and cuts result lines. */
const directiveMax = 60;
const diagnosticColumns = 100;

function caseLines({ name, state, verdict, message = '', place }: CiCase, number: number): string[] {
  const told = description(message);
  const isOk = state === 'passed' || state === 'skipped';
  const isShort = told.length <= directiveMax;
  const where = place === undefined || isOk ? [] : [`# ${description(place.uri)}:${place.line}`];
  const reason = isShort || state === 'passed' ? [] : wrap(told, diagnosticColumns, '# ');
  const directive =
    state === 'passed'
      ? ''
      : ` # ${[directives.get(verdict) ?? verdict, isShort ? told : ''].filter(Boolean).join(' ')}`;
  return [...where, ...reason, `${isOk ? 'ok' : 'not ok'} ${number} ${description(name)}${directive}`];
}

/** A verdict that is none of KTAP's directives stands as diagnostic data. */
const directives = new Map([
  ['not-applicable', 'SKIP'],
  ['deviates', 'XFAIL'],
  ['hang', 'TIMEOUT'],
  ['broken', 'ERROR'],
]);

/** One line; a hash sign would begin a directive. */
function description(text: string): string {
  return oneLine(text)
    .replace(/\s*#\s*/g, ' no. ')
    .trim();
}
