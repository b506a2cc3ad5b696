import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rule, verdictsOf } from '../fixtures/verdicts';
import type { Verdicts } from '../judge/verdicts';
import { runNames } from '../evidence/run-names';
import { asAddress, type EvidenceLinks } from './evidence-links';
import { differingRows, matrixOf } from './matrix';
import { matrixHtml } from './matrix-html';
import { matrixJson } from './matrix-json';
import { matrixMarkdown } from './matrix-markdown';
import { renderMatrix } from './matrix-text';

const ids = ['a', 'b', 'c', 'd', 'e'].map((name) => `ibv_poll_cq.${name}`);
const [a = '', b = '', c = '', d = '', e = ''] = ids;
const sim = verdictsOf([rule(a, 'pass'), rule(b, 'pass'), rule(c, 'pass'), rule(d, 'pass', 'pass'), rule(e, 'pass')]);
const rxe = verdictsOf(
  [rule(a, 'pass'), rule(b, 'not-applicable'), rule(c, 'deviates'), rule(d, 'pass', 'not-applicable')],
  { driver: 'soft-roce', dut: { hcaId: 'rxe0', provider: 'rxe', kernel: '6.1.0-56-amd64', rdmaCore: '44.0' } },
);
const hca = verdictsOf([rule(a, 'fail'), rule(b, 'pass'), rule(c, 'pass'), rule(d, 'pass', 'pass'), rule(e, 'pass')], {
  driver: 'hca',
});
const none: EvidenceLinks = { traceOf: () => undefined };

describe('the name of a run', () => {
  const on = (kernel: string, rdmaCore = '44.0', driver = 'soft-roce'): Verdicts => {
    return { ...rxe, driver, dut: { ...rxe.dut, kernel, rdmaCore } };
  };
  const cases: readonly [string, readonly Verdicts[], readonly string[]][] = [
    ['is the driver where that is enough', [sim, rxe], ['sim', 'soft-roce']],
    ['has the series of a kernel', [sim, on('6.1.0'), on('6.12.3')], ['sim', 'soft-roce 6.1', 'soft-roce 6.12']],
    ['has the release within a series', [on('6.1.0-1'), on('6.1.0-2')], ['soft-roce 6.1.0-1', 'soft-roce 6.1.0-2']],
    [
      'has rdma-core where only that differs',
      [on('6.1.0'), on('6.12.3', '44.0'), on('6.12.3', '56.1')],
      ['soft-roce 6.1', 'soft-roce 6.12 rdma-core 44.0', 'soft-roce 6.12 rdma-core 56.1'],
    ],
    ['is that of a module', [on('6.1.0', '44.0', '/x/mine.ts'), sim], ['mine', 'sim']],
    [
      'is the label that the user gave',
      [
        { ...rxe, label: 'lab 7' },
        { ...rxe, label: 'lab 8' },
      ],
      ['lab 7', 'lab 8'],
    ],
    ['has a number if nothing distinguishes two', [sim, sim, rxe], ['sim run 1', 'sim run 2', 'soft-roce']],
  ];
  for (const [what, runs, names] of cases) {
    it(what, () => {
      assert.deepEqual(runNames(runs), names);
    });
  }
});

describe('a matrix', () => {
  const matrix = matrixOf([sim, rxe, hca]);

  it('has the differences that matter, the most severe first', () => {
    assert.deepEqual(
      differingRows(matrix).map(({ id }) => id),
      [a, e, c, b],
    );
    assert.deepEqual(matrix.warnings, ['the runs had different rules: 1 are absent somewhere']);
    assert.equal(matrix.columns[1]?.totals.absent, 1);
  });

  it('warns of runs of different suites and of a lost device', () => {
    const suite = { version: '0.1.0', commit: '0123456789abcdef' };
    assert.deepEqual(matrixOf([sim, { ...sim, suite, dutLost: 'it went' }]).warnings, [
      'the runs are of different states of verbspec: 0.1.0 (abc), 0.1.0 (0123456789)',
      'sim 0123456789 lost its device: it went',
    ]);
  });

  it('finds a difference in which scenarios fail', () => {
    const [one, other] = [verdictsOf([rule(a, 'fail', 'pass')]), verdictsOf([rule(a, 'pass', 'fail')])];
    assert.equal(differingRows(matrixOf([one, other])).length, 1);
    assert.equal(differingRows(matrixOf([one, one])).length, 0);
  });

  it('fits a terminal of any width', () => {
    const text = renderMatrix(matrix, { color: false, columns: 80, all: false });
    const lines = text.split('\n');
    const heading = lines.indexOf('4 of 5 rules differ');
    assert.deepEqual(lines.slice(heading + 1, heading + 3), [
      '[1]       [2]       [3]',
      `conforms  conforms  violates  ${a}`,
    ]);
    assert.match(text, /\n1 rules are alike in all runs; --all shows them\n$/);
    assert.match(renderMatrix(matrix, { color: false, columns: 80, all: true }), new RegExp(`conforms {2}${d}`));
    for (const columns of [60, 80, 120]) {
      const widest = Math.max(
        ...renderMatrix(matrix, { color: false, columns, all: true })
          .split('\n')
          .map(({ length }) => length),
      );
      assert.ok(widest <= columns, `${widest} in ${columns}`);
    }
  });

  it('is JSON that keeps its schema', () => {
    const data = JSON.parse(matrixJson(matrix)) as { rules: { id: string; cells: { verdict: string }[] }[] };
    assert.deepEqual(
      data.rules[4]?.cells.map(({ verdict }) => verdict),
      ['conforms', 'absent', 'conforms'],
    );
  });

  it('leads from each cell of the page to the evidence, the calls and the report', () => {
    const links: EvidenceLinks = { report: './rxe/index.html', traceOf: ({ line }) => `./trace/${line}.json` };
    const html = matrixHtml(matrix, [none, links, none]);
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id);
    assert.equal(targets.filter((id) => id.includes('--')).length, 4 * 3 + 1);
    for (const id of targets) assert.ok(html.includes(` id="${id}"`), id);
    assert.ok(html.includes('<a href="./rxe/index.html">Allure report</a>'));
    assert.ok(html.includes('<a href="./trace/10.json">soft-roce</a>'));
    assert.ok(html.includes('observed fail'));
    assert.doesNotMatch(html, /<script (?!>)|https?:|>undefined<|\[object/);
  });
});

describe('what a device or a log says', () => {
  const nasty = `<script>alert(1)</script>"'\`|](javascript:x) @all \u001b[31m\u0000`;
  const scenario = { name: nasty, uri: nasty, line: 1, verdict: 'fail', durationMs: 1, detail: nasty } as const;
  const entry = { ...rule(a, 'fail'), title: nasty, section: nasty, page: nasty, reason: nasty, scenarios: [scenario] };
  const run = verdictsOf([entry], { driver: nasty, dutLost: nasty, dut: { hcaId: nasty, kernel: nasty } });
  const matrix = matrixOf([run, sim]);
  const links: EvidenceLinks = { report: asAddress(`a"b/${nasty}`), traceOf: () => asAddress('javascript:x') };

  it('is not mark-up in HTML, and no address', () => {
    const html = matrixHtml(matrix, [links, none]);
    assert.equal(html.match(/<script/g)?.length, 1, 'only that of the page');
    assert.doesNotMatch(html, /href="javascript|\u001b|\u0000/);
    assert.ok(html.includes('&lt;script&gt;alert(1)'));
    assert.ok(html.includes('href="./javascript%3Ax"'));
    assert.ok(html.includes('href="./a%22b/'));
  });

  it('is not mark-up in Markdown', () => {
    const markdown = matrixMarkdown(matrix, [links, none]);
    assert.doesNotMatch(markdown, /<script|\u001b|\u0000|@all|[^\\]\]\(javascript/);
    const columns = markdown
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split(/(?<!\\)\|/).length);
    assert.deepEqual([...new Set(columns)], [5]);
  });

  it('does not steer the terminal', () => {
    const text = renderMatrix(matrix, { color: false, columns: 80, all: true });
    assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f]/);
  });
});
