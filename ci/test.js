'use strict';

// Everything that has to hold before a change is accepted. A step that fails does not keep others from running.

const { availableParallelism } = require('node:os');
const path = require('node:path');
const { runGraph } = require('./step-graph');
const { notRunLine, remedy, unallowed } = require('./unit/not-run');
const { reporters } = require('./unit/reporters');

const root = path.join(__dirname, '..');
const skipVm = process.env.VERBSPEC_SKIP_VM === '1';
const verbspec = [process.execPath, 'cli/verbspec.js'];
const script = [process.execPath, '-r', './ci/typescript.js'];
/** Before a command that makes results which nobody opens: one run of the gate makes the report in HTML. */
const withoutHtml = ['env', 'JAVA_HOME=/nonexistent'];
const tests = [...script, '--test', ...reporters];

/**
 * The longest first, so that no core waits for one at the end. Those that are not `after` others may run beside any. There is
 * one more at a time than there are cores, as each waits for a third of its time: for hangs, signals and virtual machines.
 */
const steps = [
  { name: 'unit tests', command: ['npm', 'run', '--silent', 'unit'] },
  {
    name: 'drivers on a device of the machine, which is the VM',
    command: [...script, 'drivers/vm/in-vm.ts', '--executed-time', '--', ...script, 'ci/on-rxe/drivers-on-rxe.ts'],
    vm: true,
  },
  {
    name: 'proof: every rule catches its planted faults',
    command: [...verbspec, 'prove', '--full'],
    makes: ['reports/out/prove/proof.json'],
  },
  {
    name: 'a sample of the systematic faults',
    command: [...verbspec, 'prove', '--systematic=150', '--seed', '7', '--full', '--out', 'reports/out/systematic'],
    makes: ['reports/out/systematic/systematic.json'],
  },
  {
    name: 'random programs on the simulator, of which none accuses it',
    command: explore('sim'),
  },
  {
    name: 'random programs on soft-RoCE in a VM, of which none accuses it of anything new',
    command: explore('soft-roce', '--kernel', '6.1'),
    vm: true,
  },
  {
    name: 'planted faults of the provider on soft-RoCE in a VM, each caught by its rules',
    command: ['npm', 'run', '--silent', 'prove:soft-roce'],
    vm: true,
  },
  {
    name: 'lawful variants of the provider on soft-RoCE in a VM, without a false alarm',
    command: ['npm', 'run', '--silent', 'prove:soft-roce', '--', '--lawful', '--quick'],
    vm: true,
  },
  {
    name: 'features and gates on soft-RoCE of two more kernels',
    command: [...withoutHtml, process.execPath, 'ci/gate-kernels.js', 'soft-roce-6.12', 'soft-roce-7.2'],
    vm: true,
  },
  {
    name: 'features and gate on soft-RoCE in a VM on the clock of this machine',
    command: [...withoutHtml, process.execPath, 'ci/gate-kernels.js', 'soft-roce-6.1-wall'],
    vm: true,
  },
  {
    name: 'planted crashes, hangs, panics and leaks on soft-RoCE in a VM',
    command: [...tests, 'ci/on-rxe/misbehaving-provider.ts'],
    vm: true,
  },
  {
    name: 'features on soft-RoCE in a VM',
    command: [...verbspec, 'run', '--driver', 'soft-roce', '--kernel', '6.1'],
    makes: ['reports/out/soft-roce/verdicts.json'],
    after: ['proof: every rule catches its planted faults'],
    vm: true,
  },
  {
    name: 'git bisect finds the commit that broke a rule, in a VM',
    command: [...script, 'ci/on-rxe/bisect-on-rxe.ts'],
    vm: true,
  },
  { name: 'man pages of three releases, and the spec book in Chromium', command: [...tests, 'ci/read-spec-book.ts'] },
  { name: 'lint and format', command: ['npm', 'run', '--silent', 'lint'] },
  {
    name: 'a user-supplied module in the VM',
    command: [...script, 'ci/on-rxe/own-module.ts'],
    vm: true,
  },
  {
    name: 'objects that soft-RoCE refuses to destroy',
    command: [...tests, 'ci/on-rxe/refused-destruction.ts'],
    vm: true,
  },
  {
    name: 'programs executed whole and call by call on soft-RoCE',
    command: [...tests, 'ci/on-rxe/whole-programs.ts'],
    vm: true,
  },
  {
    name: 'ten deterministic VMs that tell the same',
    command: [...script, 'ci/on-rxe/deterministic-vm.ts', '--seed', '0', '--seed', '7', '--times', '5'],
    vm: true,
  },
  {
    name: 'features on the simulator',
    command: [...withoutHtml, ...verbspec, 'run', '--driver', 'sim'],
    makes: ['reports/out/sim/verdicts.json'],
    after: ['proof: every rule catches its planted faults'],
  },
  { name: 'types', command: ['npm', 'run', '--silent', 'types'] },
  {
    name: 'a part of the tries to do harm',
    command: ['npm', 'run', '--silent', 'attack', '--', '--quick'],
    // It looks for what is left behind where these put their results.
    after: [
      'proof: every rule catches its planted faults',
      'planted faults of the provider on soft-RoCE in a VM, each caught by its rules',
      'lawful variants of the provider on soft-RoCE in a VM, without a false alarm',
      'features and gates on soft-RoCE of two more kernels',
      'features and gate on soft-RoCE in a VM on the clock of this machine',
      'features on soft-RoCE in a VM',
      'features on the simulator',
      'programs in C that show what failed on soft-RoCE in a VM',
    ],
  },
  {
    name: 'programs in C that show what failed on soft-RoCE in a VM',
    command: [...script, 'ci/on-rxe/reproduce-on-rxe.ts'],
    after: ['features on soft-RoCE in a VM'],
    vm: true,
  },
  {
    name: 'gate on the baseline of soft-RoCE',
    command: gateOn('soft-roce-6.1', 'soft-roce'),
    after: ['features on soft-RoCE in a VM'],
    vm: true,
  },
  {
    name: 'gate on the baseline of the simulator',
    command: gateOn('sim', 'sim'),
    after: ['features on the simulator'],
  },
  { name: 'rules and their features', command: [...verbspec, 'rules', '--check'] },
  { name: 'packages, their checksums and licences', command: [...script, 'ci/supply/supply.ts'] },
];

void main();

async function main() {
  const chosen = steps.filter(({ vm }) => !(vm && skipVm));
  const startedAt = performance.now();
  const { results, signal } = await runGraph(chosen, { cwd: root, atOnce: availableParallelism() + 1, say });
  const slowestFirst = [...results].sort((one, other) => other.seconds - one.seconds);
  for (const { name, passed, seconds } of slowestFirst) say(`${passed ? 'passed' : 'FAILED'}  ${name} (${seconds} s)`);
  if (signal !== undefined) return end(`${signal}: ${results.length} of ${chosen.length} steps ran`, 130);
  const leftOut = steps
    .filter((step) => !chosen.includes(step))
    .map(({ name }) => notRunLine(name, 'VERBSPEC_SKIP_VM is set'));
  const notRun = [...new Set([...results.flatMap((result) => result.notRun), ...leftOut])];
  say('');
  for (const line of notRun) say(line);
  if (skipVm) say('VERBSPEC_SKIP_VM=1: nothing ran on soft-RoCE. This machine has shown nothing of a real device.');
  const failed = results.filter(({ passed }) => !passed).length;
  const lacking = unallowed(notRun).length;
  if (lacking > 0) say(remedy);
  // a log of an hour is read from its end, and often kept in part only
  for (const { name, why } of results) if (why.length > 0) say(`FAILED  ${name}: ${why.join('\n        ')}`);
  say(`${Math.round((performance.now() - startedAt) / 60_000)} minutes`);
  const text = `${results.length - failed} passed, ${failed} failed, ${notRun.length} left out`;
  return end(text, failed + lacking === 0 ? 0 : 1);
}

function end(line, exitCode) {
  say(line);
  process.exitCode = exitCode;
}

/** Programs for a minute: first the corpus, of which a copy grows with what is new, then others. */
function explore(driver, ...options) {
  const out = `reports/out/explore/${driver}`;
  const command = [...verbspec, 'explore', '--driver', driver, ...options, '--for', '60s'];
  const script = `rm -rf ${out} && mkdir -p ${out} && cp -r drivers/explore/corpus ${out} && exec "$@"`;
  return ['sh', '-c', script, 'explore', ...command, '--corpus', `${out}/corpus`, '--out', `${out}/findings`];
}

/** Judges what the step before has left in its folder. */
function gateOn(baseline, driver) {
  return [...verbspec, 'gate', '--baseline', `ci/baselines/${baseline}.json`, `reports/out/${driver}`];
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
