import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { UsageError } from '../../drivers/contract';
import { loadFaults, plantedFaults } from './prove-faults';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));

after(() => {
  rmSync(folder, { recursive: true });
});

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('a module of faults', () => {
  const wrong: readonly (readonly [path: string, message: RegExp])[] = [
    [join(folder, 'none.js'), /^there is no module of faults \S+none\.js$/],
    [folder, /cannot be loaded: Cannot find module '\S+'; fix \S+$/],
    [written('throws.js', "throw new Error('no\\nlicence')"), /throws\.js cannot be loaded: no; fix \S+throws\.js$/],
    [written('empty.js', ''), /empty\.js exports no faults$/],
    [written('null.js', 'module.exports = null'), /null\.js exports no faults$/],
    [
      written('odd.js', 'exports.faults = { lost: 1 }'),
      /odd\.js: "lost" is not a fault; it has to have effect, rules and/,
    ],
  ];
  for (const [path, message] of wrong) {
    it(`is refused in a line: ${message.source}`, () => {
      assert.throws(
        () => loadFaults(path),
        (error: Error) => error instanceof UsageError && message.test(error.message) && !error.message.includes('\n'),
      );
    });
  }

  it('is that of the planted faults', () => {
    assert.ok(Object.keys(loadFaults(plantedFaults).faults).length > 100);
  });
});
