import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { leftOut, membersOfModel, nameOf, piecesOfModel } from './pieces';

describe('the pieces of state of the model', () => {
  it('are those of its objects, and of the small objects that only they hold', () => {
    const names = piecesOfModel().map(nameOf);
    for (const name of ['Cq.request', 'Cq.compEvents.owed', 'Cq.cqes', 'CompChannel.descriptor.flags', 'Srq.limit']) {
      assert.ok(names.includes(name), name);
    }
  });

  it('have the kind of their values, and the texts that they take', () => {
    const request = piecesOfModel().find((piece) => nameOf(piece) === 'Cq.request');
    assert.equal(request?.kind, 'text');
    assert.equal(request.isOptional, true);
    assert.deepEqual(request.samples, ['any', 'solicited']);
  });

  it('leave out no member that there is not', () => {
    const members = new Set(membersOfModel().map(nameOf));
    assert.deepEqual(
      Object.keys(leftOut).filter((name) => !members.has(name)),
      [],
    );
  });
});
