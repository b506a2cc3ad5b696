import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { moduleImage } from '../../drivers/soft-roce/fixtures/module-image';
import { edgeListText, edgeSection } from '../../drivers/vm/edges/edge-list';
import { edgesText } from '../../reports/cell-coverage/edges-file';
import { inProcess } from '../fixtures/in-process';
import { scenarioEdges } from './scenario-edges';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-scenario-edges-'));
after(() => {
  rmSync(folder, { recursive: true });
});

function put(name: string, content: Buffer | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const functions = [{ file: 'rxe.c', name: 'rxe_one', edges: [{ at: 7, line: 12 }, { at: 9, line: 13 }] }]; // prettier-ignore

function imageWith(list: string): Buffer {
  return moduleImage({ name: 'rdma_rxe', vermagic: '6.1' }, [{ name: edgeSection, content: Buffer.from(list) }]);
}

const image = imageWith(edgeListText(functions));
const recording = put('rdma_rxe.ko', image);
const plain = put('plain.ko', moduleImage({ name: 'rdma_rxe', vermagic: '6.1' }));
const damaged = put('damaged.ko', imageWith('{'));
const sha256 = createHash('sha256').update(image).digest('hex');
const reached = { module: { name: 'rdma_rxe', file: 'rdma_rxe.ko', sha256 }, functions, reached: new Set([9]) };
const edges = put('edges.json', edgesText(reached, '0', 5));
const ofAnother = put('another.json', edgesText({ ...reached, module: { ...reached.module, sha256: 'ff' } }, '0', 5));

describe('the edges that scenarios have reached', () => {
  it('are those of the file, for the module that is loaded', () => {
    const options = { coverage: true, module: recording, edges };
    assert.deepEqual(scenarioEdges(options), { scenarios: 5, reached: new Set([9]) });
    assert.equal(scenarioEdges({ coverage: true, module: recording }), undefined);
  });

  const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      'a module without edges',
      [plain, edges],
      /plain\.ko records no edges; build it with ci\/kernel-module\.sh --edges/,
    ],
    [
      'a module whose list is damaged',
      [damaged, edges],
      /the list of edges of .*damaged\.ko cannot be read: .*; build it again/,
    ],
    [
      'those of another module',
      [recording, ofAnother],
      /another\.json is of the module .*; name the edges\.json of a run/,
    ],
    [
      'a file that is not there',
      [recording, join(folder, 'none.json')],
      /--edges .*none\.json cannot be read: .*; name the/,
    ],
    ['a file without JSON', [recording, recording], /rdma_rxe\.ko is not valid JSON; name the edges\.json of a run/],
  ];
  for (const [what, [ko = '', file = ''], message] of refused) {
    it(`are not taken with ${what}: exit code 2, before anything is started`, async () => {
      const options = ['--driver', 'soft-roce', '--coverage', '--module', ko, '--edges', file];
      const { code, stderr } = await inProcess(['explore', '--out', join(folder, 'out'), ...options]);
      assert.match(stderr, message);
      assert.equal(code, 2);
    });
  }
});
