'use strict';

// Runs the unit tests: every *.test.ts beside the sources, with Node's own test runner. Words on the command line select
// those whose path has one of them: `npm run unit -- golden`.

const { readdirSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const path = require('node:path');
const { runGraph } = require('./step-graph');
const { processesOf } = require('./unit/processes');

const root = path.join(__dirname, '..');
const folders = ['bench', 'ci', 'cli', 'drivers', 'catalog', 'reports', 'steps'];

void main(process.argv.slice(2));

async function main(words) {
  const tests = folders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(folder, file),
      ),
    )
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
  if (tests.length === 0) {
    process.stderr.write(`unit: no test has ${words.join(' or ')} in its path\n`);
    process.exitCode = 2;
    return;
  }
  const steps = processesOf(root, tests.sort());
  const { results, signal } = await runGraph(steps, { cwd: root, atOnce: availableParallelism(), say, graceMs: 5000 });
  const failed = results.filter(({ passed }) => !passed);
  for (const { name } of failed) say(`FAILED  ${name}`);
  const left = results.flatMap(({ notRun }) => notRun).length;
  say(
    `${tests.length} files in ${results.length} processes, of which ${failed.length} failed; ${left} suites or tests left out`,
  );
  process.exitCode = signal !== undefined ? 130 : failed.length > 0 ? 1 : 0;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
