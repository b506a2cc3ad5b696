'use strict';

// What takes too long for each change: mutation, coverage, soak, sanitizer, fuzzer, all tries to do harm, all faults.
//
//   npm run nightly                       all of it; some hours
//   npm run nightly -- --list             what there is
//   npm run nightly -- --only soak,fuzz   a part of it

require('../require-node');

const { spawnSync } = require('node:child_process');
const { parseArgs } = require('node:util');
const path = require('node:path');
const { runGraph } = require('../step-graph');
const { notRunLine, remedy, unallowed } = require('../unit/not-run');
const { jobs } = require('./jobs');

const root = path.join(__dirname, '..', '..');

/** Exit code for a set-up that is broken. */
const brokenSetup = 3;

/** Milliseconds between two lines about what is under way. */
const beatMs = 60_000;

void main(process.argv.slice(2));

async function main(argv) {
  const wanted = readArguments(argv);
  if (wanted === undefined) return;
  if (wanted.list) {
    for (const { name, what, command } of wanted.jobs) say(`${name.padEnd(16)}${what}: ${commandText(command)}`);
    return;
  }
  const setUp = spawnSync(process.execPath, ['ci/setup.js', 'all'], { cwd: root, stdio: 'inherit' });
  process.exitCode = setUp.status === 0 ? await runJobs(wanted.jobs) : brokenSetup;
}

/** @returns the exit code */
async function runJobs(wanted) {
  const skipVm = process.env.VERBSPEC_SKIP_VM === '1';
  const chosen = wanted.filter(({ vm }) => !(vm && skipVm));
  const { results, signal } = await runGraph(chosen, { cwd: root, atOnce: 1, say, beatMs });
  const left = wanted.filter(({ name }) => !results.some((result) => result.name === name));
  const reason = signal === undefined ? 'VERBSPEC_SKIP_VM is set' : `${signal} came before`;
  const notRun = [...results.flatMap((result) => result.notRun), ...left.map(({ name }) => notRunLine(name, reason))];
  say(`\n${table(wanted, results)}\n`);
  for (const line of notRun) say(line);
  if (signal !== undefined) return 130;
  const isLacking = unallowed(notRun).length > 0;
  if (isLacking) say(remedy);
  return isLacking || results.some(({ passed }) => !passed) ? 1 : 0;
}

/** @returns what the user asks for; `undefined` for wrong usage, which it prints */
function readArguments(args) {
  try {
    const options = { only: { type: 'string' }, list: { type: 'boolean', default: false } };
    const { only, list } = parseArgs({ args, options }).values;
    const names = only?.split(',');
    const unknown = names?.find((one) => !jobs.some(({ name }) => name === one));
    if (unknown !== undefined)
      throw new Error(`there is no "${unknown}"; there are ${jobs.map(({ name }) => name).join(', ')}`);
    return { list, jobs: jobs.filter(({ name }) => names?.includes(name) ?? true) };
  } catch (error) {
    process.stderr.write(`nightly: ${error.message}\n`);
    process.exitCode = 2;
    return undefined;
  }
}

function table(wanted, results) {
  const rows = wanted.map(({ name }) => {
    const result = results.find((one) => one.name === name);
    if (result === undefined) return [name, 'not run', ''];
    return [name, result.passed ? 'passed' : 'FAILED', String(result.seconds)];
  });
  const lines = [['name', 'outcome', 'seconds'], ...rows];
  return lines
    .map(([name, outcome, seconds]) => `${name.padEnd(18)}${outcome.padEnd(10)}${seconds.padStart(7)}`)
    .join('\n');
}

function commandText(command) {
  return command.map((word) => (word === process.execPath ? 'node' : word)).join(' ');
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
