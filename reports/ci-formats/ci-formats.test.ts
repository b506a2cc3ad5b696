import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create } from 'xmlbuilder2';
import { verdictsInReportOrder } from '../../catalog/verdict';
import { judgeMessages, recordOutcomes } from '../fixtures/record-outcomes';
import { rule, verdictsOf } from '../fixtures/verdicts';
import { judgeRun } from '../judge/judge';
import type { Verdicts } from '../judge/verdicts';
import { withOutput } from './case-output';
import { casesOf } from './cases';
import { junitXml } from './junit';
import { ktap } from './ktap';

const fifo = 'ibv_poll_cq.fifo';
const run = verdictsOf([
  rule(fifo, ...verdictsInReportOrder),
  rule('ibv_resize_cq.skipped', 'not-applicable'),
  rule('ibv_resize_cq.none'),
]);

/** A run with all that fails it beside its scenarios. */
const troubled: Verdicts = {
  ...verdictsOf([rule(fifo, 'pass')]),
  dutLost: 'the connection ended',
  expectedCapabilities: { expected: ['srq', 'ud'], missing: ['srq'], added: [] },
  deviations: (['shown', 'expired', 'unused', 'undecided'] as const).map((state) => {
    return { rule: fifo, state, reason: 'r', link: 'l', owner: 'o', detail: `it is ${state}` };
  }),
};

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly Element[];
}

/** Reads XML, and throws if it is none. */
function parsed(xml: string): Element {
  return elementOf(create(xml).root().node as unknown as ParsedNode);
}

interface ParsedNode {
  readonly nodeName: string;
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  readonly childNodes: Iterable<ParsedNode>;
}

function elementOf(node: ParsedNode): Element {
  return {
    name: node.nodeName,
    attributes: Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])),
    text: node.textContent ?? '',
    children: [...node.childNodes].filter(({ nodeType }) => nodeType === 1).map(elementOf),
  };
}

/** What Jenkins' and GitLab's readers know of: elements with their children and attributes. */
const known: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  testsuites: [['testsuite'], ['name', 'tests', 'failures', 'errors', 'skipped', 'time']],
  testsuite: [
    ['properties', 'testcase'],
    ['name', 'tests', 'failures', 'errors', 'skipped', 'time', 'timestamp'],
  ],
  properties: [['property'], []],
  property: [[], ['name', 'value']],
  testcase: [
    ['properties', 'failure', 'error', 'skipped', 'system-out'],
    ['classname', 'name', 'file', 'line', 'time'],
  ],
  failure: [[], ['type', 'message']],
  error: [[], ['type', 'message']],
  skipped: [[], ['message']],
  'system-out': [[], []],
};

function assertKnown({ name, attributes, children }: Element): void {
  const [ofChildren, ofAttributes] = known[name] ?? assert.fail(`unknown element ${name}`);
  for (const attribute of Object.keys(attributes)) assert.ok(ofAttributes.includes(attribute), `${name} ${attribute}`);
  for (const child of children) {
    assert.ok(ofChildren.includes(child.name), `${child.name} in ${name}`);
    assertKnown(child);
  }
}

function testCases(root: Element): Element[] {
  return root.children.flatMap(({ children }) => children.filter(({ name }) => name === 'testcase'));
}

describe('JUnit XML', () => {
  it('has the rule, the calls that led there and the command for a scenario that failed', () => {
    const recorded = judgeMessages(recordOutcomes());
    const judged = judgeRun({ ...recorded.recording, info: { ...recorded.recording.info, options: ['--fault', 'x'] } });
    const root = parsed(junitXml(withOutput(casesOf(judged.verdicts), judged), judged.verdicts));
    assertKnown(root);
    const told = testCases(root).map(({ children }) =>
      children.map(({ name }) => name).filter((name) => name !== 'properties'),
    );
    assert.deepEqual([...new Set(told.map((names) => names.join(' ')))].sort(), [
      '',
      'error system-out',
      'failure system-out',
      'skipped',
    ]);
    const failed = testCases(root).find(({ attributes: { name } }) => name === 'An assertion fails');
    const output = failed?.children.find(({ name }) => name === 'system-out')?.text ?? '';
    assert.match(output, /\[ibv_req_notify_cq\.one-shot\]\n\nStep: /);
    assert.match(output, /\nAgain: {4}npx verbspec run \S+:17 --fault x\n/);
    assert.match(output, /\nWhen 2 calls succeed\n +1\.500 +3 {2}ibv_req_notify_cq\(recv_cq, 0\) = 22 EINVAL\n/);
  });

  it('has a test for each scenario, whose state follows its verdict', () => {
    const root = parsed(junitXml(casesOf(run), run));
    assertKnown(root);
    const states = testCases(root).map(({ children }) => {
      const [state] = children;
      return state === undefined
        ? 'passed'
        : `${state.name} ${state.attributes.type ?? state.attributes.message ?? ''}`;
    });
    assert.deepEqual(states, [
      'passed',
      'failure fail',
      'failure crash',
      'failure hang',
      'failure panic',
      'failure surprise',
      'failure blocked',
      'error broken',
      'skipped deviates: observed deviates',
      'skipped not-applicable: observed not-applicable',
      'skipped not-applicable: observed not-applicable',
    ]);
    const { tests, failures, errors, skipped, time } = root.attributes;
    assert.deepEqual([tests, failures, errors, skipped, time], ['11', '6', '1', '3', '11.000']);
    const [first] = testCases(root);
    const place = { file: 'features/cq/ibv_poll_cq.feature', line: '10' };
    assert.deepEqual(first?.attributes, { classname: fifo, name: 'A', ...place, time: '1.000' });
  });

  it('fails for what is not a scenario: lists of deviations, lost capabilities, the set-up', () => {
    const root = parsed(junitXml(casesOf(troubled, ['a hook failed']), troubled));
    assertKnown(root);
    const failed = testCases(root).filter(({ children }) => children.length > 0);
    assert.deepEqual(
      failed.map(({ attributes, children }) => [attributes.classname, children[0]?.name, children[0]?.attributes.type]),
      [
        [fifo, 'failure', 'expired'],
        [fifo, 'failure', 'unused'],
        ['srq', 'failure', 'capability-lost'],
        ['set-up', 'error', 'broken'],
        ['set-up', 'error', 'broken'],
      ],
    );
  });

  it('is XML whatever a device says', () => {
    const nasty = ']]> <b>&amp; &nbsp; & "\u0000\u0008\u001b[31m\ud800\uffff é';
    const scenarios = [{ name: nasty, uri: 'x', line: 1, verdict: 'fail', durationMs: 1, detail: nasty } as const];
    const verdicts = verdictsOf([{ ...rule(fifo), scenarios }], { driver: nasty });
    const [test] = testCases(parsed(junitXml(casesOf(verdicts), verdicts)));
    assert.match(junitXml(casesOf({ ...verdicts, dutLost: 'a &#0; b' }), verdicts), /a &amp;#0; b/);
    assert.equal(test?.attributes.name, ']]> <b>&amp; &nbsp; & "\ufffd\ufffd é');
    assert.equal(test.children[0]?.text, ']]> <b>&amp; &nbsp; & "\ufffd\ufffd é');
  });

  it('has all of a long reason in the body of a failure, and its beginning as the message', () => {
    const detail = 'It is so. '.repeat(40).trim();
    const scenarios = [{ name: 'A', uri: 'x', line: 1, verdict: 'fail', durationMs: 1, detail } as const];
    const verdicts = verdictsOf([{ ...rule(fifo), scenarios }]);
    const [failure] = testCases(parsed(junitXml(casesOf(verdicts), verdicts)))[0]?.children ?? [];
    assert.equal(failure?.text, detail);
    assert.match(failure.attributes.message ?? '', /^It is so\. .{100,150} …$/);
  });

  it('gives rows of an outline that share a name names of their own, and has shared scenarios once', () => {
    const twins = rule(fifo, 'pass', 'pass').scenarios.map((scenario) => ({ ...scenario, name: 'same' }));
    const shared = { ...rule(fifo), scenarios: twins };
    const verdicts = verdictsOf([shared, { ...shared, id: 'ibv_poll_cq.twin' }]);
    assert.deepEqual(
      casesOf(verdicts).map(({ subject, name }) => [subject, name]),
      [
        [fifo, 'same'],
        [fifo, 'same (2)'],
      ],
    );
  });
});

/** A parser after the rules of the kernel's documentation; throws where a line breaks one. */
class KtapParser {
  readonly #lines: string[];

  constructor(text: string) {
    this.#lines = text.trimEnd().split('\n');
  }

  /** @returns result lines in the order of their appearance, children before parents */
  parse(): string[] {
    const results = this.#block('');
    assert.deepEqual(this.#lines, [], 'nothing is left');
    return results;
  }

  #block(indent: string): string[] {
    assert.equal(this.#lines.shift(), `${indent}KTAP version 1`);
    const count = Number(/^ *1\.\.(\d+)$/.exec(this.#lines.shift() ?? '')?.[1]);
    const results: string[] = [];
    for (let number = 1; number <= count; number++) results.push(...this.#test(indent, number));
    return results;
  }

  #test(indent: string, number: number): string[] {
    const within = this.#lines[0] === `${indent}  KTAP version 1` ? this.#block(`${indent}  `) : [];
    while (this.#lines[0]?.startsWith(`${indent}# `)) this.#lines.shift();
    const line = this.#lines.shift() ?? '';
    const result = /^(?<indent> *)(?<ok>not ok|ok) (?<number>\d+) (?<name>[^#]+?)(?: # (?<rest>[^#]*))?$/.exec(line);
    assert.ok(result?.groups, `a result: "${line}"`);
    assert.equal(result.groups.indent, indent, line);
    assert.equal(Number(result.groups.number), number, line);
    if (within.some((each) => each.startsWith('not ok'))) assert.equal(result.groups.ok, 'not ok', line);
    return [...within, line.trim()];
  }
}

describe('KTAP', () => {
  it('nests scenarios in rules in pages, and shows the verdicts as directives', () => {
    assert.deepEqual(new KtapParser(ktap(casesOf(run))).parse(), [
      'ok 1 A',
      'not ok 2 B # fail observed fail',
      'not ok 3 C # crash observed crash',
      'not ok 4 D # TIMEOUT observed hang',
      'not ok 5 E # panic observed panic',
      'not ok 6 F # surprise observed surprise',
      'not ok 7 G # blocked observed blocked',
      'not ok 8 H # ERROR observed broken',
      'ok 9 I # XFAIL observed deviates',
      'ok 10 J # SKIP observed not-applicable',
      `not ok 1 ${fifo}`,
      'not ok 1 ibv_poll_cq',
      'ok 1 A # SKIP observed not-applicable',
      'ok 1 ibv_resize_cq.skipped # SKIP',
      'ok 2 ibv_resize_cq # SKIP',
    ]);
  });

  it('fails for what is not a scenario', () => {
    const results = new KtapParser(ktap(casesOf(troubled, ['a hook failed']))).parse();
    assert.deepEqual(
      results.filter((line) => line.startsWith('not ok') && line.includes('#')),
      [
        'not ok 1 all scenarios # expired it is expired; reason: r',
        'not ok 2 all scenarios # unused it is unused; reason: r',
        'not ok 1 the device has it # capability-lost missing: srq, which was expected',
        'not ok 1 problem 1 # ERROR the device under test was lost: the connection ended',
        'not ok 2 problem 2 # ERROR a hook failed',
      ],
    );
  });

  it('has short results: what is long stands in lines of diagnostics before them', () => {
    const detail = `Then it is so: ${'expected nothing, '.repeat(50)}observed # SKIP`;
    const scenarios = [{ name: 'A', uri: 'x', line: 1, verdict: 'fail', durationMs: 1, detail } as const];
    const text = ktap(casesOf(verdictsOf([{ ...rule(fifo), scenarios }])));
    assert.match(text, /^ {4}# x:1\n {4}# Then it is so: expected nothing, [^]*no\. SKIP\n {4}not ok 1 A # fail$/m);
    assert.ok(Math.max(...text.split('\n').map(({ length }) => length)) <= 104);
    new KtapParser(text).parse();
  });

  it('is KTAP whatever a device says', () => {
    const nasty = 'a # SKIP\nok 7 b\r\n\u001b[31mc';
    const scenarios = [{ name: nasty, uri: nasty, line: 1, verdict: 'fail', durationMs: 1, detail: nasty } as const];
    const text = ktap(casesOf(verdictsOf([{ ...rule(fifo), scenarios }])));
    assert.match(text, /^ {4}not ok 1 a no\. SKIP ok 7 b c # fail a no\. SKIP ok 7 b c$/m);
    new KtapParser(text).parse();
  });
});
