'use strict';

// Runs the unit tests: every *.test.ts beside the sources, with Node's own test runner.

const { spawnSync } = require('node:child_process');
const { readdirSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const folders = ['ci', 'cli', 'drivers', 'reports', 'steps'];

const tests = folders.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => path.join(folder, file)),
);

const options = ['--require', 'ts-node/register/transpile-only', '--test', '--test-reporter', 'spec', ...tests.sort()];
const { status } = spawnSync(process.execPath, options, { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
