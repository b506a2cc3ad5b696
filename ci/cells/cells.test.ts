import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cellOf } from '../../drivers/explore/coverage/cell';
import { cellsIn, type CellList } from '../../drivers/explore/coverage/cell-list';
import { cellsOfScenarios, cellsOfWalks } from './enumerate';

const path = join(__dirname, '../../drivers/explore/coverage/reachable.json');
const listed = cellsIn(JSON.parse(readFileSync(path, 'utf8')) as CellList);
const remedy = 'the list is out of date: npm run cells';

const wordsOf = (keys: Iterable<string>, of: 'state' | 'operation' | 'outcome'): ReadonlySet<string> =>
  new Set([...keys].map((key) => `${cellOf(key).kind}: ${cellOf(key)[of]}`));

describe('the list of reachable cells', () => {
  it('has what scenarios reach', async () => {
    const reached = await cellsOfScenarios(['features/cq/ibv_req_notify_cq.feature']);
    const missing = [...reached].filter((key) => listed.get(key) !== 'scenarios');
    assert.deepEqual(missing, [], remedy);
    assert.ok(reached.size > 100, String(reached.size));
  });

  it('has what walks reach, in the same words', async () => {
    const reached = await cellsOfWalks({ seeds: [1], withoutNews: Infinity, most: 150 }, () => undefined);
    for (const part of ['state', 'operation', 'outcome'] as const) {
      const known = wordsOf(listed.keys(), part);
      assert.deepEqual(
        [...wordsOf(reached, part)].filter((word) => !known.has(word)),
        [],
        remedy,
      );
    }
    const missing = [...reached].filter((key) => !listed.has(key));
    assert.ok(missing.length <= reached.size / 100, `${remedy}; not listed: ${missing.join('\n')}`);
    const operations = wordsOf(listed.keys(), 'operation');
    const met = wordsOf(reached, 'operation');
    assert.ok(met.size >= 0.8 * operations.size, `${remedy}: of ${operations.size} operations ${met.size} are met`);
  });
});
