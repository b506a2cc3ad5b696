'use strict';

const verbspec = [process.execPath, 'cli/verbspec.js'];
const script = [process.execPath, '-r', './ci/typescript.js'];

const tenSeedsOfEachKernel = [
  ...['6.1', '6.12', '7.2'].flatMap((kernel) => ['--kernel', kernel]),
  ...Array.from({ length: 10 }, (_, seed) => ['--seed', String(seed)]).flat(),
];

/** The quickest first, so that what is wrong with the set-up shows soon. Each takes all cores, so they take turns. */
const jobs = [
  { name: 'proof', what: 'every planted fault, from nothing', command: [...verbspec, 'prove', '--full'] },
  { name: 'attack', what: 'every try to do harm', command: [...script, 'ci/attack.ts'] },
  {
    name: 'fuzz',
    what: 'the host process fuzzed, with AddressSanitizer',
    command: ['ci/sanitizer/asan.sh', 'fuzz', '600'],
    vm: true,
  },
  {
    name: 'sanitizer',
    what: 'all features with AddressSanitizer',
    command: ['ci/sanitizer/asan.sh', 'run', '--out', 'reports/out/asan'],
    vm: true,
  },
  { name: 'mutation', what: 'the simulator mutated', command: [...script, 'ci/mutation/mutate.ts'] },
  {
    name: 'coverage',
    what: 'lines that tests execute',
    command: [process.execPath, 'ci/coverage.js', '--vm'],
    vm: true,
  },
  {
    name: 'systematic',
    what: 'faults made by operators',
    command: [...verbspec, 'prove', '--systematic', '--out', 'reports/out/systematic'],
  },
  { name: 'soak', what: 'the same verdicts in any order, under load', command: [...script, 'ci/soak.ts'], vm: true },
  {
    name: 'deterministic',
    what: 'a hundred deterministic VMs of each kernel tell the same, ten of each seed',
    command: [...script, 'ci/on-rxe/deterministic-vm.ts', ...tenSeedsOfEachKernel, '--times', '10'],
    vm: true,
  },
  {
    name: 'provider-faults',
    what: 'each fault of a provider under every scenario',
    command: [...script, 'ci/on-rxe/prove-on-rxe.ts', '--all'],
    vm: true,
  },
  {
    name: 'provider-variants',
    what: 'every scenario under each lawful variant of a provider',
    command: [...script, 'ci/on-rxe/prove-on-rxe.ts', '--lawful'],
    vm: true,
  },
  {
    name: 'reproduce',
    what: 'programs in C of all deviations of soft-RoCE and faults of a provider',
    command: [...script, 'ci/on-rxe/reproduce-on-rxe.ts', '--all'],
    vm: true,
  },
];

module.exports = { jobs };
