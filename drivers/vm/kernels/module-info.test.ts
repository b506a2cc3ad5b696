import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moduleImage } from '../../soft-roce/fixtures/module-image';
import { moduleInfo } from './module-info';

describe('moduleInfo', () => {
  it('reads the name and the vermagic, without the blank at its end', () => {
    const image = moduleImage({ name: 'siw', vermagic: '6.1.0-56-amd64 SMP mod_unload ', depends: 'ib_core' });
    assert.deepEqual(moduleInfo(image), { name: 'siw', vermagic: '6.1.0-56-amd64 SMP mod_unload' });
  });

  it('takes nothing else for a module', () => {
    const image = moduleImage({ name: 'siw', vermagic: '6.1' });
    const others = { cut: image.subarray(0, 200), text: Buffer.from('name=siw\0'), empty: Buffer.alloc(0) };
    for (const [what, other] of Object.entries(others)) assert.equal(moduleInfo(other), undefined, what);
    assert.equal(moduleInfo(moduleImage({ name: 'siw', machine: 183 })), undefined, 'for another processor');
    assert.equal(moduleInfo(moduleImage({ vermagic: '6.1' })), undefined, 'without a name');
  });
});
