import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { it } from 'node:test';
import { root } from '../common/project';
import { decidingFiles } from './sources';

/** Runs a feature without a fault, and prints the files that were loaded for it and for the faults. */
const loading = `
  const { runSound } = require('./cli/prove/prove-job');
  const { loadFaults, plantedFaults } = require('./cli/prove/prove-faults');
  loadFaults(plantedFaults);
  runSound(['features/cq/ibv_resize_cq.feature'], () => undefined).then((scenarios) => {
    if (scenarios.some(({ verdict }) => verdict !== 'pass')) throw new Error('a scenario did not pass');
    console.log(JSON.stringify(Object.keys(require.cache)));
  });`;

it('every file of the project that a proof loads has a say in what is known from before', () => {
  const args = ['-r', './ci/typescript.js', '-e', loading];
  const loaded = JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })) as string[];
  const own = loaded.map((path) => relative(root, path)).filter((path) => !/^\.\.|(^|\/)node_modules\//.test(path));
  assert.ok(own.includes('drivers/sim/cq/cq.ts'));
  assert.ok(own.includes('steps/cq/cq.steps.ts'));
  const deciding = new Set(decidingFiles());
  assert.deepEqual(
    own.filter((path) => !deciding.has(path)),
    [],
  );
});
