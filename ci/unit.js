'use strict';

// Runs the unit tests: every *.test.ts beside the sources, with Node's own test runner. Words on the command line select
// those whose path has one of them: `npm run unit -- golden`.

const { spawnSync } = require('node:child_process');
const { readdirSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const folders = ['ci', 'cli', 'drivers', 'catalog', 'reports', 'steps'];
const words = process.argv.slice(2);

const tests = folders
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  )
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)));

if (tests.length === 0) {
  process.stderr.write(`unit: no test has ${words.join(' or ')} in its path\n`);
  process.exit(2);
}

const options = ['--require', './ci/typescript.js', '--test', '--test-reporter', 'spec', ...tests.sort()];
const { status } = spawnSync(process.execPath, options, { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
