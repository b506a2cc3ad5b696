import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UsageError, type ModuleEdges } from '../../drivers/contract';
import { coverageJson } from './coverage';
import { coverageHtml } from './coverage-html';
import { edgeCoverage, edgesInWords, edgeTotals, neverReached, reachedInWords } from './edges';
import { edgesText, parseEdges } from './edges-file';

const rxe = { name: 'rdma_rxe', file: 'rdma_rxe.ko', sha256: 'ab'.repeat(32) };
const hostile = '<script>x</script>';
const at = (...places: readonly number[]) => places.map((place) => ({ at: place, line: 100 + place }));
const functions = [
  { file: 'rxe_cq.c', name: 'rxe_cq_post', edges: at(1, 2, 3) },
  { file: 'rxe_cq.c', name: 'rxe_cq_disable', edges: at(4) },
  { file: 'rxe_mcast.c', name: 'rxe_mcast_add', edges: at(5, 6) },
];
const byExplore: ModuleEdges = { module: rxe, functions, reached: new Set([1, 2]) };
const byScenarios: ModuleEdges = { module: rxe, functions, reached: new Set([2, 4]) };
const known = { scenarios: 7, reached: byScenarios.reached };
const run = { suite: '0', driver: 'soft-roce', device: 'rxe0 of rxe', seed: 1, programs: 3, cells: [] };

describe('the edges of a kernel module', () => {
  it('are counted by who has reached them', () => {
    const coverage = edgeCoverage(byExplore, known);
    assert.deepEqual(edgeTotals(coverage.functions), { edges: 6, explore: 2, scenarios: 2, both: 1, neither: 3 });
    assert.deepEqual(
      neverReached(coverage.functions).map(({ name }) => name),
      ['rxe_mcast_add'],
    );
    assert.equal(
      edgesInWords(coverage),
      'edges of rdma_rxe: 6 in all, explore 33.3 %, scenarios 33.3 %, 3 reached by neither',
    );
  });

  it('are those of explore alone where nothing is known of scenarios', () => {
    const coverage = edgeCoverage(byExplore);
    assert.deepEqual(edgeTotals(coverage.functions), { edges: 6, explore: 2, scenarios: 0, both: 0, neither: 4 });
    assert.equal(neverReached(coverage.functions).length, 2);
    assert.equal(edgesInWords(coverage), 'edges of rdma_rxe: 6 in all, explore 33.3 %, 4 not reached');
  });

  it('are neither all reached nor none, unless the module says so', () => {
    const with_ = (...reached: readonly number[]) => edgeCoverage({ ...byExplore, reached: new Set(reached) });
    assert.equal(edgeTotals(with_().functions).neither, 6);
    assert.equal(neverReached(with_().functions).length, 3);
    assert.equal(edgeTotals(with_(1, 2, 3, 4, 5, 6).functions).neither, 0);
    assert.deepEqual(neverReached(with_(1, 2, 3, 4, 5, 6).functions), []);
    assert.equal(reachedInWords(byScenarios), '2 of 6 edges of rdma_rxe reached (33.3 %)');
  });
});

describe('edges.json', () => {
  const text = edgesText(byScenarios, '0', 7);

  it('is read as it was written', () => {
    assert.deepEqual(parseEdges(text, 'edges.json', rxe), known);
    const { edges, reached } = JSON.parse(text) as { edges: number; reached: number };
    assert.deepEqual({ edges, reached }, { edges: 6, reached: 2 });
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    [
      'of another module',
      text.replace('abab', 'cdcd'),
      /is of the module rdma_rxe\.ko \(sha256 cdcdababab\), and --module/,
    ],
    [
      'that is cut off',
      text.slice(0, -20),
      /^edges\.json is not valid JSON; name the edges\.json of a run with --module/,
    ],
    ['of another kind', '{"schemaVersion":1,"cells":[]}', /^edges\.json departs from its schema: /],
    ['whose edges are numbers', text.replace('"at": 1', '"at": "1"'), /\/functions\/0\/edges\/0\/at must be integer/],
  ];
  for (const [what, damaged, message] of refused) {
    it(`is refused if it is one ${what}`, () => {
      assert.notEqual(damaged, text);
      assert.throws(
        () => parseEdges(damaged, 'edges.json', rxe),
        (error) => error instanceof UsageError && message.test(error.message),
      );
    });
  }
});

describe('the page of coverage', () => {
  it('shows the edges by file, what nobody has entered, and the lines that are left', () => {
    const page = coverageHtml({ ...run, edges: edgeCoverage(byExplore, known) });
    assert.match(
      page,
      /<th scope="row">rxe_cq\.c<\/th><td>4<\/td><td>50\.0 %<\/td><td>50\.0 %<\/td><td>1<\/td><td>1<\/td>/,
    );
    assert.match(page, /1 function that neither explore nor a scenario has entered/);
    assert.match(page, /<code>rxe_mcast_add<\/code> <span class="dim">2<\/span>/);
    assert.match(page, /<code>rxe_cq_post<\/code>.*<td>3<\/td><td>1<\/td><td>103<\/td>/);
  });

  it('has no column of scenarios where nothing is known of them, and no section without a module that records', () => {
    const page = coverageHtml({ ...run, edges: edgeCoverage(byExplore) });
    assert.match(page, /<th scope="col">explore<\/th><th scope="col">not reached<\/th>/);
    assert.match(page, /2 functions that explore has not entered/);
    assert.doesNotMatch(coverageHtml(run), /id="edges"/);
    assert.equal('edges' in (JSON.parse(coverageJson(run)) as object), false);
  });

  it('takes what a module says for text', () => {
    const [first] = functions;
    assert.ok(first);
    const spoken = [{ ...first, file: hostile, name: hostile }];
    const page = coverageHtml({ ...run, edges: edgeCoverage({ ...byExplore, functions: spoken }) });
    assert.ok(!page.includes(hostile));
  });
});
