import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moduleImage } from '../../soft-roce/fixtures/module-image';
import { edgeListIn, edgeListText, edgeSection } from './edge-list';

const functions = [{ file: 'rxe.c', name: 'rxe_one', edges: [{ at: 7, line: 12 }] }];

function imageWith(list: string): Buffer {
  return moduleImage({ name: 'rdma_rxe' }, [{ name: edgeSection, content: Buffer.from(list) }]);
}

describe('the list of edges in a module', () => {
  it('is read as it was put there, and is not in others', () => {
    assert.deepEqual(edgeListIn(imageWith(edgeListText(functions))), functions);
    assert.equal(edgeListIn(moduleImage({ name: 'rdma_rxe' })), undefined);
  });

  it('is refused where it is damaged', () => {
    const cut = edgeListText(functions).slice(0, -9);
    const others = ['null', '{"schemaVersion":2,"functions":[]}', edgeListText(functions).replace('12', '"12"')];
    for (const list of [cut, ...others]) assert.throws(() => edgeListIn(imageWith(list)), list);
  });
});
