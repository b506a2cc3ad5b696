'use strict';

require('./require-node');

// Sets up what a run needs and is missing, says each command before it runs, and does nothing else. Plain JavaScript
// without dependencies: it runs before there are any. Its syntax is old, so that an old Node.js gets as far as
// require-node.js.
//
//   node ci/setup.js sim    for the simulator: the npm packages, and Java for the HTML report
//   node ci/setup.js hca    for devices of this machine: also libibverbs, a compiler, and the two builds
//   node ci/setup.js all    for everything: also soft-RoCE, the VM, and the npm packages for tests

const { execFileSync, spawnSync } = require('node:child_process');
const { existsSync, readdirSync, statSync } = require('node:fs');
const path = require('node:path');
const { installOptions } = require('./npm-packages');
const { missingPackages } = require('./packages');

const root = path.join(__dirname, '..');
const isRoot = process.getuid() === 0;

// From 22 on, Node.js lets TypeScript's compiler keep compiled code where others can write, and runs what lies there.
process.env.NODE_DISABLE_COMPILE_CACHE = '1';

/** Exit code for a set-up that is broken. */
const brokenSetup = 3;

main(process.argv[2] || 'sim');

function main(scope) {
  installNpmPackages(scope);
  installSystemPackages(scope);
  compile();
  if (scope === 'sim') return;
  const drivers = filesUnder('drivers', '.ts');
  build('the host process', 'build:host', 'build/host/drivers/native/host/host.js', drivers);
  build('the libibverbs addon', 'build:native', 'native/build/Release/verbs.node', [
    ...filesUnder('native/src', ''),
    'native/binding.gyp',
  ]);
}

function installNpmPackages(scope) {
  const options = installOptions(root, scope === 'all');
  if (options === undefined) return;
  announce('installing the npm packages of package-lock.json', ['npm', ...options]);
  const { status } = spawnSync('npm', options, { cwd: root, stdio: 'inherit' });
  if (status !== 0) stop('`npm ci` failed; its own message is above');
}

/** What has changed since is compiled as it is loaded, so this only makes commands start faster. */
function compile() {
  const { status } = spawnSync(process.execPath, ['ci/compile.js'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) stop('compiling the TypeScript failed; the reason is above');
}

/** Java makes the HTML report alone, so a machine without it can still run. */
function installSystemPackages(scope) {
  const { needed, optional } = missingPackages(scope, { vm: process.env.VERBSPEC_SKIP_VM !== '1' });
  const missing = [...needed, ...optional];
  if (missing.length === 0) return;
  const names = missing.map((entry) => entry.package);
  const command = `apt-get install -y --no-install-recommends ${names.join(' ')}`;
  const reason = missing.map((entry) => `${entry.package} (${entry.purpose})`).join(', ');
  if (hasApt() && isRoot && aptInstall(names, reason)) return;
  const remedy = `missing: ${reason}; install with: ${isRoot ? '' : 'sudo '}${command}`;
  if (needed.length > 0) stop(remedy);
  say(remedy);
}

function hasApt() {
  return spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** A machine whose package lists are old or absent gets new ones; sources of others that fail do not matter. */
function aptInstall(names, reason) {
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...names];
  announce(`installing ${reason}`, ['apt-get', ...install]);
  if (spawnSync('apt-get', install, { ...options, stdio: 'ignore' }).status === 0) return true;
  const update = ['update', '-qq'];
  announce('fetching new lists of packages, and trying again', ['apt-get', ...update]);
  spawnSync('apt-get', update, { ...options, stdio: 'ignore' });
  return spawnSync('apt-get', install, options).status === 0;
}

function build(what, script, output, sources) {
  if (isNewer(output, sources)) return;
  const run = ['run', '--loglevel=error', script];
  announce(`building ${what}`, ['npm', ...run]);
  const options = { cwd: root, env: buildEnvironment(), stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' };
  try {
    execFileSync('npm', run, options);
  } catch (error) {
    process.stderr.write(`${error.stdout}${error.stderr}`);
    stop(`building ${what} failed; the compiler's message is above`);
  }
}

/** Node comes with the headers that the addon is built against; without them they would have to be downloaded. */
function buildEnvironment() {
  const nodedir = path.join(path.dirname(process.execPath), '..');
  const hasHeaders = existsSync(path.join(nodedir, 'include', 'node', 'node_api.h'));
  return hasHeaders ? { ...process.env, npm_config_nodedir: nodedir } : process.env;
}

/** Whether `output` exists and is newer than all of its sources. */
function isNewer(output, sources) {
  if (!existsSync(path.join(root, output))) return false;
  const made = modifiedAt(output);
  return sources.every((source) => modifiedAt(source) <= made);
}

function modifiedAt(file) {
  return statSync(path.join(root, file)).mtimeMs;
}

function filesUnder(folder, extension) {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .map((entry) => path.relative(root, path.join(entry.parentPath || entry.path, entry.name)));
}

/** Nothing is run before it is printed, least of all as root. */
function announce(what, command) {
  say(`${what}; running${isRoot ? ' as root' : ''}: ${command.join(' ')}`);
}

function say(line) {
  process.stdout.write(`set-up: ${line}\n`);
}

function stop(line) {
  process.stderr.write(`set-up: ${line}\n`);
  process.exit(brokenSetup);
}
