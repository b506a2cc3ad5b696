import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rule, verdictsOf } from '../fixtures/verdicts';
import type { RuleEntry, Verdicts } from '../judge/verdicts';
import { matrixOf, type Matrix } from './matrix';
import { matrixHtml } from './matrix-html';
import { matrixJson } from './matrix-json';
import { matrixMarkdown } from './matrix-markdown';
import { renderMatrix } from './matrix-text';
import { nameRanges } from './name-ranges';
import { inColumnOrder } from './run-order';

const [a, b, c] = ['ibv_poll_cq.a', 'ibv_poll_cq.b', 'ibv_resize_cq.c'] as const;

/** Fifty runs in `dut-1` to `dut-50`, of as many kinds as there are entries. */
function fifty(
  ...kinds: readonly (readonly RuleEntry[])[]
): { readonly folder: string; readonly verdicts: Verdicts }[] {
  return Array.from({ length: 50 }, (_, index) => ({
    folder: `/runs/dut-${index + 1}`,
    verdicts: verdictsOf(kinds[index % kinds.length] ?? [], {
      driver: 'hca',
      dut: { hcaId: 'mlx5_0', provider: 'mlx5', kernel: index < 20 ? '6.1.0' : '6.12.0' },
    }),
  }));
}

function matrixOfAll(runs: ReturnType<typeof fifty>, options = {}): Matrix {
  return matrixOf(
    runs.map(({ verdicts }) => verdicts),
    { folders: runs.map(({ folder }) => folder), ...options },
  );
}

const sound = [rule(a, 'pass'), rule(b, 'deviates', 'pass'), rule(c, 'pass')];
const twoKinds = fifty(sound, [rule(a, 'pass'), rule(b, 'pass', 'deviates'), rule(c, 'fail')]);
/** Each run fails a rule of its own. */
const allDifferent = fifty(
  ...Array.from({ length: 50 }, (_, index) =>
    Array.from({ length: 50 }, (_, number) => rule(`ibv_poll_cq.r${number}`, number === index ? 'fail' : 'pass')),
  ),
);

function text(matrix: Matrix, columns: number): string {
  return renderMatrix(matrix, { color: false, columns, all: true });
}

describe('fifty runs', () => {
  it('are called by their folders', () => {
    const { columns } = matrixOfAll(twoKinds);
    assert.deepEqual([columns[0]?.name, columns[49]?.name], ['dut-1', 'dut-50']);
  });

  it('are one column where they say the same of every rule', () => {
    const { groups } = matrixOfAll(twoKinds);
    assert.deepEqual(
      groups.map(({ name }) => name),
      ['dut-1 ×25', 'dut-2 ×25'],
    );
    assert.match(text(matrixOfAll(twoKinds), 80), /^\[1\] 25 runs: dut-1, dut-3, /m);
    assert.equal(matrixOfAll(twoKinds.slice(0, 7)).groups.length, 7, 'few stay as they are');
  });

  it('are grouped by a fact, and fold within it', () => {
    const { groups } = matrixOfAll(inColumnOrder(twoKinds, 'kernel'), { by: 'kernel' });
    assert.deepEqual(
      groups.map(({ name }) => name),
      ['6.1: dut-1 ×10', '6.1: dut-2 ×10', '6.12: dut-21 ×15', '6.12: dut-22 ×15'],
    );
  });

  it('have totals for each rule, and the reason where the verdicts are the same', () => {
    const { rows } = matrixOfAll(twoKinds);
    assert.equal(rows[1]?.why, 'other scenarios: "A" deviates 25×, pass 25×; "B" pass 25×, deviates 25×');
    assert.equal(rows[2]?.why, undefined);
    for (const all of [text(matrixOfAll(twoKinds), 200), matrixMarkdown(matrixOfAll(twoKinds), [])]) {
      assert.match(all, /25 conform, 25 violate/);
      assert.match(all, /other scenarios: \\?"A\\?" deviates 25×/);
    }
  });

  it('fit a terminal of any width, as letters, in several tables where it takes them', () => {
    for (const columns of [20, 40, 60, 80, 200]) {
      for (const matrix of [matrixOfAll(twoKinds), matrixOfAll(allDifferent)]) {
        const widest = Math.max(
          ...text(matrix, columns)
            .split('\n')
            .map(({ length }) => length),
        );
        assert.ok(widest <= columns, `${widest} in ${columns}`);
      }
    }
    const lines = text(matrixOfAll(allDifferent), 100).split('\n');
    const head = lines.indexOf('50 of 50 rules differ');
    assert.deepEqual(lines.slice(head + 1, head + 4), [
      '         1 1111111112 2222222223 3333333334 4444444445',
      '1234567890 1234567890 1234567890 1234567890 1234567890',
      `Vccccccccc cccccccccc cccccccccc cccccccccc cccccccccc  ibv_poll_cq.r0`,
    ]);
    assert.ok(lines.includes('c conforms, V violates'));
  });

  it('are compared with one of them', () => {
    const matrix = matrixOfAll(twoKinds, { hasReference: true });
    assert.deepEqual(
      matrix.groups.map(({ members }) => members.length),
      [1, 25, 24],
    );
    const plain = text(matrix, 80);
    assert.match(plain, /^2 of 3 rules differ from dut-1$/m);
    assert.match(plain, /^conforms {2}violates {2}= {9}ibv_resize_cq\.c$/m);
    assert.match(matrixMarkdown(matrix, []), /^\| `ibv_resize_cq\.c`.* \| ✅ conforms \| ❌ violates \| = \|$/m);
  });

  it('are JSON that says which runs are a column, and how many say what', () => {
    const data = JSON.parse(matrixJson(matrixOfAll(twoKinds))) as {
      columns: { runs: number[] }[];
      rules: { totals: object; why?: string }[];
    };
    assert.deepEqual(data.columns[1]?.runs.slice(0, 2), [1, 3]);
    assert.deepEqual(data.rules[2]?.totals, { ...data.rules[2]?.totals, conforms: 25, violates: 25 });
    assert.match(data.rules[1]?.why ?? '', /^other scenarios/);
  });

  it('are a page of letters whose size grows with what differs', () => {
    const [folded, wide] = [matrixHtml(matrixOfAll(twoKinds), []), matrixHtml(matrixOfAll(allDifferent), [])];
    assert.match(folded, /<table class="few">/);
    assert.match(folded, /<b>dut-1 ×25<\/b>: dut-1, dut-3/);
    assert.match(wide, /<table class="letters">/);
    assert.ok(folded.length < 60_000, `${folded.length}`);
    assert.ok(wide.length < 800_000, `${wide.length}`);
  });
});

describe('the order of columns', () => {
  const order = (...folders: string[]): string[] =>
    inColumnOrder(folders.map((folder) => ({ folder, verdicts: verdictsOf([]) }))).map(({ folder }) => folder);

  it('has numbers in the order of numbers where a shell has made it', () => {
    assert.deepEqual(order('dut-1', 'dut-10', 'dut-2'), ['dut-1', 'dut-2', 'dut-10']);
  });

  it('is that of the user otherwise', () => {
    assert.deepEqual(order('before', 'after'), ['before', 'after']);
    assert.deepEqual(order('6.12', '6.1'), ['6.12', '6.1']);
  });
});

it('names in a row are a range', () => {
  assert.equal(
    nameRanges(['sim', 'dut-1', 'dut-2', 'dut-3', 'dut-5', 'dut-6', 'x-6']),
    'sim, dut-1 … dut-3, dut-5, dut-6, x-6',
  );
  assert.equal(nameRanges(['dut-08', 'dut-09', 'dut-10']), 'dut-08, dut-09, dut-10');
});
