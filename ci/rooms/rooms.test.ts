import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';

const root = join(__dirname, '..', '..');
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** More than this nobody takes in at a glance. */
const mostFiles = 25;

/** The families of verbs, as the second level of every layer names them. */
const families = ['ah', 'async', 'channel', 'cq', 'device', 'enum', 'mr', 'mw', 'pd', 'qp', 'srq'];

/** Layers with a room a family, and their rooms for what all families share. */
const layers: Readonly<Record<string, readonly string[]>> = {
  features: [],
  steps: ['calls', 'leftovers', 'others', 'world'],
  'drivers/sim': ['faults', 'fixtures', 'lawful', 'network', 'verbs'],
  'drivers/sim/faults': ['systematic'],
};

describe('rooms', () => {
  it('have few enough files to be taken in at a glance', () => {
    const counts = new Map<string, number>();
    for (const folder of files.map(dirname)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    const crowded = [...counts].filter(([, count]) => count > mostFiles);
    assert.deepEqual(crowded, []);
  });

  it('are those of which CONTRIBUTING.md speaks', () => {
    const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    const paths = [...text.matchAll(/`((?:bench|catalog|ci|cli|drivers|native|steps)\/[\w/.-]*)`/g)].map(
      ([, path = '']) => path,
    );
    assert.ok(paths.length > 50);
    assert.deepEqual(
      paths.filter((path) => !files.some((file) => file === path || file.startsWith(path.replace(/\/?$/, '/')))),
      [],
    );
  });

  for (const [layer, shared] of Object.entries(layers)) {
    it(`of ${layer}/ bear the names of families`, () => {
      const depth = layer.split('/').length;
      const folders = files
        .filter((file) => file.startsWith(`${layer}/`))
        .map((file) => file.split('/'))
        .filter((path) => path.length > depth + 1)
        .map((path) => path[depth]);
      const others = [...new Set(folders)].filter(
        (name) => name === undefined || ![...families, ...shared].includes(name),
      );
      assert.deepEqual(others, []);
    });
  }
});
