'use strict';

// Which lines of our own TypeScript the unit tests, the proof of the planted faults and a run of all features on the
// simulator execute; with --vm, a run on soft-RoCE in a VM too. Other words select unit tests, as in `npm run unit`. What
// lacks lines is listed, and has to be explained in CONTRIBUTING.md: the exit code is 1 if something is not, or if a test
// fails.

const { spawnSync } = require('node:child_process');
const { readFileSync, rmSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const out = path.join(root, 'reports', 'out', 'coverage');
const raw = path.join(out, 'raw');
const folders = ['ci', 'cli', 'drivers', 'catalog', 'reports', 'steps'];

/** Percent of the lines of a file below which it lacks lines. */
const enough = 80;

const words = process.argv.slice(2).filter((word) => word !== '--vm');
const withVm = process.argv.includes('--vm');

rmSync(out, { recursive: true, force: true });
const failed = [
  ['ci/unit.js', ...words],
  ['cli/verbspec.js', 'prove'],
  ['cli/verbspec.js', 'run', '--driver', 'sim', '--out', path.join(out, 'sim')],
  ...(withVm
    ? [['cli/verbspec.js', 'run', '--driver', 'soft-roce', '--kernel', '6.1', '--out', path.join(out, 'vm')]]
    : []),
].filter((args) => node(args, { NODE_V8_COVERAGE: raw }) !== 0);
report();
const unexplained = printGaps();
for (const args of failed) say(`${args.join(' ')} failed, so what it did not execute says little`);
process.exit(failed.length > 0 || unexplained.length > 0 ? 1 : 0);

function report() {
  const options = [
    ...['--temp-directory', raw, '--reports-dir', out, '--merge-async', '--all', '--extension', '.ts'],
    ...folders.flatMap((folder) => ['--src', folder, '--include', `${folder}/**/*.ts`]),
    ...['--exclude', '**/*.test.ts', '--exclude', '**/fixtures/**'],
    ...['--reporter', 'text-summary', '--reporter', 'html', '--reporter', 'json-summary'],
  ];
  const c8 = path.join(root, 'node_modules', 'c8', 'bin', 'c8.js');
  if (node([c8, 'report', ...options]) !== 0) process.exit(3);
  rmSync(raw, { recursive: true });
}

/** @returns the files that lack lines and that CONTRIBUTING.md does not name */
function printGaps() {
  const summary = JSON.parse(readFileSync(path.join(out, 'coverage-summary.json'), 'utf8'));
  const explanations = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
  const gaps = Object.entries(summary)
    .filter(([file, { lines }]) => file !== 'total' && lines.pct < enough)
    .map(([file, { lines }]) => ({ file: path.relative(root, file), percent: lines.pct }))
    .map((gap) => ({ ...gap, isExplained: explanations.includes(`\`${gap.file}\``) }));
  say(`\nlines of ${gaps.length} files are executed to less than ${enough} %`);
  for (const { file, percent, isExplained } of gaps)
    say(`${percent.toFixed(0).padStart(4)} %  ${file}${isExplained ? '' : '  NOT EXPLAINED in CONTRIBUTING.md'}`);
  say(`\nline by line: ${path.relative(process.cwd(), path.join(out, 'index.html'))}`);
  return gaps.filter(({ isExplained }) => !isExplained);
}

function node(args, env = {}) {
  const options = { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] };
  return spawnSync(process.execPath, args, options).status;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
