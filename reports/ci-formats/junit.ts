import { create } from 'xmlbuilder2';
import { dutFacts } from '../evidence/dut-text';
import { oneLine, plainText } from '../../catalog/plain-text';
import type { Cause } from '../diagnosis/causes';
import type { Verdicts } from '../judge/verdicts';
import type { CaseState, CiCase } from './cases';

/** What a suite counts. */
interface Counts {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
  /** Seconds. */
  readonly time: string;
}

/**
 * A run as JUnit XML, as Jenkins and GitLab read it: a suite a man page, a test a scenario. A violation is a failure,
 * as is a scenario that the device blocked, what is broken an error; what deviates as listed or does not apply is skipped, with the reason.
 *
 * @param causes - what failures look like: properties of each suite that has a scenario of theirs
 */
export function junitXml(cases: readonly CiCase[], verdicts: Verdicts, causes: readonly Cause[] = []): string {
  const groups = [...new Set(cases.map(({ group }) => group))];
  const suites = groups.map((group) =>
    suiteOf(
      group,
      cases.filter((each) => each.group === group),
      verdicts,
      causes,
    ),
  );
  const document = create({ version: '1.0', encoding: 'UTF-8' }).ele({
    testsuites: { ...attributes({ name: 'verbspec', ...countsOf(cases) }), testsuite: suites },
  });
  return `${document.end({ prettyPrint: true })}\n`;
}

function suiteOf(
  group: string,
  cases: readonly CiCase[],
  { driver, dut, suite, startedAt }: Verdicts,
  causes: readonly Cause[],
): object {
  const facts = [`driver ${driver}`, `verbspec ${suite.version} (${suite.commit})`, ...dutFacts(dut)];
  const properties = facts.map((fact) => {
    const [name = '', ...value] = xmlText(fact).split(' ');
    return attributes({ name, value: value.join(' ') });
  });
  const own = causesOfCases(causes, cases).map(({ words }) => attributes({ name: 'cause', value: xmlText(words) }));
  return {
    ...attributes({ name: xmlText(group), ...countsOf(cases), timestamp: startedAt.replace(/\.\d+Z$/, '') }),
    properties: { property: [...properties, ...own] },
    testcase: cases.map(testCase),
  };
}

/** Those that have a scenario among the tests. */
function causesOfCases(causes: readonly Cause[], cases: readonly CiCase[]): readonly Cause[] {
  const places = new Set(cases.flatMap(({ place, state }) => (place && state === 'failed' ? [placeText(place)] : [])));
  return causes.filter(({ scenarios }) => scenarios.some((scenario) => places.has(placeText(scenario))));
}

function placeText({ uri, line }: { readonly uri: string; readonly line: number }): string {
  return `${uri}:${line}`;
}

function testCase(one: CiCase): object {
  const { subject, name, place, durationMs = 0 } = one;
  const where = place === undefined ? {} : { file: xmlText(place.uri), line: place.line };
  const head = attributes({ classname: xmlText(subject), name: xmlText(name), ...where, time: seconds(durationMs) });
  const output = one.output === undefined ? {} : { 'system-out': one.output.split('\n').map(xmlLine).join('\n') };
  return { ...head, ...propertiesOf(one), ...outcomeOf(one), ...output };
}

/** A test of a rule that does not rest on the man page says what the rule rests on. */
function propertiesOf({ authority = 'page' }: CiCase): object {
  return authority === 'page'
    ? {}
    : { properties: { property: [attributes({ name: 'authority', value: authority })] } };
}

/** What a list of tests has room for; the body of a failure has all of it. */
const headlineMax = 160;

function headline(text: string): string {
  const characters = Array.from(text);
  return characters.length <= headlineMax
    ? text
    : `${characters
        .slice(0, headlineMax - 2)
        .join('')
        .trimEnd()} …`;
}

function outcomeOf({ state, verdict, message = verdict }: CiCase): object {
  const text = xmlText(message);
  switch (state) {
    case 'passed':
      return {};
    case 'failed':
      return { failure: { ...attributes({ type: verdict, message: headline(text) }), '#': text } };
    case 'error':
      return { error: { ...attributes({ type: verdict, message: headline(text) }), '#': text } };
    case 'skipped':
      return { skipped: attributes({ message: `${verdict}: ${text}` }) };
  }
}

function countsOf(cases: readonly CiCase[]): Counts {
  const count = (wanted: CaseState): number => cases.filter(({ state }) => state === wanted).length;
  const durationMs = cases.reduce((sum, each) => sum + (each.durationMs ?? 0), 0);
  return {
    tests: cases.length,
    failures: count('failed'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(durationMs),
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Members as xmlbuilder2 takes attributes. */
function attributes(members: object): Record<string, string> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [`@${name}`, String(value)]));
}

/** What xmlbuilder2 takes for an entity: it decodes those that it is given, and does not escape those that it writes. */
const entityLike = /&(?=\w+;|#\w+;)/g;

/** Text without what no XML document may hold. */
function xmlText(text: string): string {
  return xmlLine(oneLine(text));
}

/** The same of a line, whose columns stay. */
function xmlLine(text: string): string {
  return plainText(text)
    .replace(/\p{Surrogate}|[\ufffe\uffff]/gu, '\ufffd')
    .replace(entityLike, '&amp;amp;');
}
