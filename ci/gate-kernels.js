'use strict';

// Runs the features on the simulator and on soft-RoCE of each kernel, and gates each run on its baseline:
//
//   node ci/gate-kernels.js [NAME...]            all, or those that are named: sim, soft-roce-6.1, ...
//   node ci/gate-kernels.js soft-roce-6.1-wall   the same in a VM on the clock of this machine
//   node ci/gate-kernels.js --update [NAME...]   rewrites the baselines, and prints what changes in them

require('./require-node');

const { spawnSync } = require('node:child_process');
const { rmSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const runs = {
  sim: ['--driver', 'sim'],
  'soft-roce-6.1': ['--driver', 'soft-roce', '--kernel', '6.1'],
  'soft-roce-6.12': ['--driver', 'soft-roce', '--kernel', '6.12'],
  'soft-roce-7.2': ['--driver', 'soft-roce', '--kernel', '7.2'],
};

/** Runs that are gated on the baseline of another, since the same has to come out. Only on demand. */
const sameAs = {
  'soft-roce-6.1-wall': { name: 'soft-roce-6.1', more: ['--vm-time', 'wall'] },
};

const wanted = process.argv.slice(2);
const update = wanted.filter((word) => word === '--update');
const named = wanted.filter((word) => word !== '--update');
const known = Object.keys({ ...runs, ...(update.length === 0 && sameAs) });
const unknown = named.find((name) => !known.includes(name));
if (unknown !== undefined) {
  console.error(`gate-kernels: there is no baseline "${unknown}"; there are ${known.join(', ')}`);
  process.exit(2);
}

const names = named.length === 0 ? Object.keys(runs) : named;
const results = names.map((name) => ({ name, code: gate(name) }));
for (const { name, code } of results) console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${name} (exit code ${code})`);
process.exit(results.every(({ code }) => code === 0) ? 0 : 1);

/** A run that fails for what the baseline knows is not a failure here; one without results has no run to gate. */
function gate(name) {
  console.log(`\n== ${name}`);
  const out = path.join('reports', 'out', name);
  const { name: baseline, more } = sameAs[name] ?? { name, more: [] };
  rmSync(path.join(root, out, 'verdicts.json'), { force: true }); // results of an earlier run are not judged
  const code = verbspec('run', ...runs[baseline], ...more, '--out', out);
  if (code > 1) return code;
  return verbspec('gate', '--baseline', `ci/baselines/${baseline}.json`, ...update, out);
}

function verbspec(...args) {
  const options = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] };
  const { status, signal } = spawnSync(process.execPath, ['cli/verbspec.js', ...args], options);
  if (signal !== null) console.log(`FAILED  verbspec ${args.join(' ')}: ${signal}`);
  return status ?? 1;
}
