'use strict';

// Which room may import from which, for `npm run lint`: what is not listed is refused. Tests and their fixtures may import
// everything. Only the objects of the simulator may know each other in a circle, as the verbs' objects do.

const ground = ['drivers/contract', 'drivers/verbs', 'drivers/support'];
const driving = [...ground, 'drivers/pipeline'];
const native = (...rooms) => rooms.map((room) => `drivers/native/${room}`);
const judging = ['catalog', 'drivers/contract', 'drivers/support', 'reports/recording', 'reports/judge'];
const commands = ['catalog', 'drivers', 'reports', 'cli/common', 'cli/inputs', 'cli/out'];

/** What each room may import from, besides itself and packages. The first that matches a file counts. */
const rooms = [
  ['drivers/verbs', ['drivers/contract/(trace|data)']],
  ['drivers/contract', ['drivers/verbs']],
  ['drivers/support', ['drivers/contract']],
  ['drivers/pipeline', ground],
  ['drivers/sim', ['drivers/contract', 'drivers/verbs', 'drivers/pipeline']],
  ['drivers/programs', ['drivers/contract', 'drivers/verbs', 'drivers/pipeline']],
  ['drivers/explore', ['drivers/contract', 'drivers/verbs', 'drivers/pipeline', 'drivers/programs', 'drivers/sim']],
  ['drivers/native/linux', ground],
  ['drivers/native/carriers', [...ground, ...native('linux')]],
  ['drivers/native/host', [...driving, ...native('linux', 'protocol', 'carriers')]],
  ['drivers/native/client', [...driving, 'drivers/programs', ...native('linux', 'protocol', 'carriers', 'host')]],
  ['drivers/native', ground],
  ['drivers/vm', [...ground, ...native('linux', 'carriers')]],
  ['drivers/(soft-roce|hca)', [...driving, 'drivers/native', 'drivers/programs', 'drivers/vm']],
  ['drivers', ['drivers']],
  ['steps', ['drivers/contract']],
  ['catalog', ['drivers/contract', 'drivers/support']],
  ['reports/recording', ['catalog', 'drivers/contract']],
  ['reports/(judge|proof)', [...judging, 'reports/proof']],
  ['reports/evidence', judging],
  [
    'reports/(summary|cell-coverage|ci-formats|compare|diagnosis|gate|redaction|run-page|spec-book|allure)',
    [...judging, 'reports'],
  ],
  ['cli/common', ['catalog', 'drivers/contract', 'drivers/support']],
  ['cli/inputs', ['catalog', 'drivers', 'reports', 'cli/common']],
  ['cli/out', ['catalog', 'drivers/contract', 'drivers/support', 'cli/common']],
  ['cli/run', [...commands, 'steps/world/dut']],
  ['cli/(lint|prove)', [...commands, 'cli/run']],
  ['cli/(rules|recorded|pages)', [...commands, 'cli/run', 'cli/lint']],
  ['cli/doctor', commands],
  ['cli/explore', [...commands, 'cli/reproduce']],
  ['cli', ['catalog', 'drivers', 'reports', 'cli', 'ci/(typescript|require-node)']],
  ['ci/browser/page', ['drivers/sim', 'steps/world/dut']],
  ['ci', ['bench', 'catalog', 'cli', 'drivers', 'reports', 'steps']],
  ['bench', ['catalog', 'ci', 'cli', 'drivers', 'reports', 'steps']],
];

const test = '(\\.test\\.ts|/fixtures/.*)$';
const anchored = (room) => `^${room}(/|\\.|$)`;

/** A room without those that are listed before it. */
function fromRoom(room, index) {
  const before = rooms.slice(0, index).map(([other]) => anchored(other));
  return { path: anchored(room), pathNot: [test, ...before] };
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'move what both need into a file of its own',
      from: { pathNot: '^drivers/sim/' },
      to: { circular: true },
    },
    {
      name: 'checks-are-data',
      severity: 'error',
      comment: 'what a check compares has to reach the reports: check() and checkEqual() of the contract',
      from: { path: '^(steps|drivers/contract)/', pathNot: [test] },
      to: { path: '^(node:)?(assert|util)(/|$)' },
    },
    {
      name: 'core-knows-no-node',
      severity: 'error',
      comment: 'contract, descriptions, programs, trials, simulator and steps run in a browser too',
      from: {
        path: '^(steps|drivers/(contract|verbs|sim|programs|explore|pipeline/trials)|ci/browser/page)/',
        pathNot: [test, '^drivers/sim/faults/prover\\.ts$'],
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'rooms',
      severity: 'error',
      comment: 'only tests import fixtures',
      from: { pathNot: [test, '^(ci|bench)/'] },
      to: { path: '/fixtures/' },
    },
  ],
  allowed: [
    { from: { path: test }, to: {} },
    { from: {}, to: { path: ['node_modules', '\\.json$'] } },
    { from: {}, to: { dependencyTypes: ['core', 'npm', 'npm-dev'] } },
    ...rooms.map(([room, others], index) => ({
      from: fromRoom(room, index),
      to: { path: [room, ...others].map(anchored) },
    })),
  ],
  allowedSeverity: 'error',
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^build/', '^reports/out/', '^native/build/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'types'] },
  },
};
