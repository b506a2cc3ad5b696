import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { casesOf } from '../../reports/ci-formats/cases';
import { junitXml } from '../../reports/ci-formats/junit';
import { ktap } from '../../reports/ci-formats/ktap';
import { matrixOf } from '../../reports/compare/matrix';
import { matrixHtml } from '../../reports/compare/matrix-html';
import { matrixJson } from '../../reports/compare/matrix-json';
import { matrixMarkdown } from '../../reports/compare/matrix-markdown';
import { renderMatrix } from '../../reports/compare/matrix-text';
import { deviation } from '../../reports/fixtures/deviation';
import { bookInput } from '../../reports/fixtures/book';
import { anyColumns, assertPrintable, hostileText, withText } from '../../reports/fixtures/hostile-text';
import { judgeMessages, recordOutcomes } from '../../reports/fixtures/record-outcomes';
import { rule, verdictsOf } from '../../reports/fixtures/verdicts';
import { baselineOf } from '../../reports/gate/baseline';
import { baselineDiff } from '../../reports/gate/baseline-diff';
import { combineRuns } from '../../reports/gate/combine-runs';
import { gateCases } from '../../reports/gate/gate-cases';
import { gateMarkdown } from '../../reports/gate/gate-markdown';
import { renderGate } from '../../reports/gate/gate-text';
import { githubAnnotations } from '../../reports/gate/github';
import { judgeGate } from '../../reports/gate/judge-gate';
import type { JudgedRun } from '../../reports/judge/judged-run';
import { renderBook } from '../../reports/spec-book/site';
import { renderSummary } from '../../reports/summary/summary';
import type { Verdicts } from '../../reports/judge/verdicts';
import { doctorText } from '../doctor/doctor-text';
import { Progress } from '../run/progress';
import { ProveProgress } from '../prove/prove-progress';

/** Members of a run that hold what a device, a user or a stranger wrote; the others have shapes that schemas demand. */
const freeTexts = new Set([
  ...['driver', 'version', 'commit', 'order', 'dutLost', 'page', 'section', 'title', 'reason', 'name', 'uri', 'detail'],
  ...['hcaId', 'provider', 'fwVer', 'kernel', 'rdmaCore', 'distribution', 'netdev', 'gidType', 'reasons', 'file'],
  ...['scenario', 'link', 'owner', 'listedAt', 'symptom', 'doubt', 'where', 'words', 'expected', 'observed', 'stack'],
  ...['step', 'subject'],
  ...['missing', 'added', 'problems', 'statement', 'untested'],
]);

/** The same data, saying these texts one after the other wherever it said something. */
function saying<T>(data: T, texts: readonly string[]): T {
  let index = 0;
  return withText(data, freeTexts, (old) => texts[index++ % texts.length] ?? old);
}

const texts = fc.array(
  hostileText.filter((text) => text !== ''),
  { minLength: 1, maxLength: 8 },
);

/** Fewer than usual: each renders a whole run. */
const numRuns = 30;

const rules = [
  rule('ibv_poll_cq.fifo', 'pass', 'fail', 'crash', 'hang'),
  rule('ibv_poll_cq.empty', 'deviates', 'surprise', 'not-applicable', 'panic'),
  rule('ibv_poll_cq.wc-status', 'pass'),
  rule('ibv_resize_cq.grow', 'broken'),
].map((each) => ({ ...each, reason: 'as its scenarios say' }));

const spoken: Verdicts = verdictsOf(rules, {
  dut: {
    hcaId: 'mlx5_0',
    provider: 'mlx5',
    fwVer: '1',
    kernel: '6.1',
    rdmaCore: '44',
    distribution: 'Debian',
    module: { name: 'rdma_rxe', file: 'rdma_rxe.ko', sha256: '0'.repeat(64) },
    capabilities: ['srq'],
  },
  order: 'reverse',
  dutLost: 'it is gone',
  expectedCapabilities: { expected: ['srq', 'ud'], missing: ['ud'], added: ['srq'] },
  deviations: [
    { ...deviation({ rule: 'ibv_poll_cq.fifo' }), state: 'expired', listedAt: 'mine.json:1', detail: 'it is over' },
  ],
});

const sound = verdictsOf(rules.map(({ id }) => rule(id, 'pass', 'pass', 'pass', 'pass')));

describe('whatever a device says', () => {
  it('the summary can be printed', () => {
    const judged = judgeMessages(recordOutcomes(), [deviation({ rule: 'ibv_req_notify_cq.one-shot' })]);
    fc.assert(
      fc.property(texts, anyColumns, fc.boolean(), (said, columns, color) => {
        const { scenarios, reckonings } = saying({ scenarios: judged.scenarios, reckonings: judged.reckonings }, said);
        const problems = said;
        const run: JudgedRun = { ...judged, scenarios, reckonings, problems, verdicts: saying(spoken, said) };
        assertPrintable(renderSummary(run, { color, columns }));
      }),
      { numRuns },
    );
  });

  it('the gate can be printed, and its only commands are its own', () => {
    fc.assert(
      fc.property(texts, anyColumns, (said, columns) => {
        const [baseline = ''] = said;
        const run = combineRuns([{ name: baseline, verdicts: saying(spoken, said) }]);
        const before = baselineOf(sound);
        const result = judgeGate(before, run);
        const updateCommand = `npx verbspec gate --baseline ${baseline}`;
        assertPrintable(renderGate(result, { color: true, columns, baseline, updateCommand }));
        assertPrintable(gateMarkdown(result, baseline));
        assertPrintable(baselineDiff(before, baselineOf(run.verdicts)).join('\n'));
        const annotations = githubAnnotations(result).trimEnd().split('\n');
        for (const line of annotations) assert.match(line, /^::(error|notice) [^:]*::/);
        assertPrintable(annotations.join('\n'), annotations);
        const cases = [...gateCases(result, run.verdicts), ...casesOf(run.verdicts, said)];
        assertPrintable(junitXml(cases, run.verdicts));
        assertPrintable(ktap(cases));
      }),
      { numRuns },
    );
  });

  it('a comparison can be printed', () => {
    fc.assert(
      fc.property(texts, anyColumns, fc.boolean(), (said, columns, all) => {
        const matrix = matrixOf([saying(spoken, said), sound, saying(spoken, [...said, 'other'])]);
        const links = matrix.columns.map(() => ({ traceOf: () => undefined }));
        assertPrintable(renderMatrix(matrix, { color: true, columns, all }));
        assertPrintable(matrixMarkdown(matrix, links));
        assertPrintable(matrixHtml(matrix, links));
        assertPrintable(matrixJson(matrix));
      }),
      { numRuns },
    );
  });

  it('the spec book has nothing that steers a reader', () => {
    fc.assert(
      fc.property(texts, (said) => {
        const { runs, deviations, features } = bookInput;
        const book = renderBook({ ...bookInput, ...saying({ runs, deviations }, said), features });
        for (const [name, content] of book) {
          if (name.endsWith('.html') || name === 'search-data.js') assertPrintable(content);
        }
      }),
      { numRuns },
    );
  });

  it('the doctor can be printed', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const gids = [{ index: 0, gid: text, type: text, netdev: text }];
        const ports = [{ port: 1, state: text, linkLayer: text, netdev: text, gids, gidIndex: 0 }];
        const active = { ...ports[0], port: 2, state: 'ACTIVE', linkLayer: text, netdev: text, gids, gidIndex: 0 };
        const checks = [{ name: 'device', status: 'missing', found: text, remedy: text }] as const;
        const drivers = [{ driver: 'hca', ok: false, checks }];
        const devices = [{ name: text, ports: [...ports, active] }];
        assertPrintable(doctorText({ schemaVersion: 1, ok: false, drivers, devices }, { isTTY: true }));
      }),
    );
  });

  it('progress is one line each', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const lines: string[] = [];
        const stream = { isTTY: false, write: (line: string) => lines.push(line) } as unknown as NodeJS.WriteStream;
        new Progress(stream).tell(`  device ${text}`);
        new Progress(stream).tell(text);
        new ProveProgress(stream).tell(text);
        assertPrintable(lines.join(''));
        assert.equal(lines.join('').split('\n').length, 4);
      }),
    );
  });
});
