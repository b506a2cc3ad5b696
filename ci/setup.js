'use strict';

require('./require-node');

// Sets up what a run needs and is missing, says what it does, and nothing else. Plain JavaScript without dependencies:
// it runs before there are any. Its syntax is old, so that an old Node.js gets as far as require-node.js.
//
//   node ci/setup.js sim    for the simulator: the npm packages, and Java for the HTML report
//   node ci/setup.js hca    for devices of this machine: also libibverbs, a compiler, and the two builds
//   node ci/setup.js all    for everything: also soft-RoCE and the VM

const { execFileSync, spawnSync } = require('node:child_process');
const { existsSync, readdirSync, statSync } = require('node:fs');
const path = require('node:path');
const { missingPackages } = require('./packages');

const root = path.join(__dirname, '..');

/** Exit code for a set-up that is broken. */
const brokenSetup = 3;

main(process.argv[2] || 'sim');

function main(scope) {
  installNpmPackages();
  installSystemPackages(scope);
  if (scope === 'sim') return;
  const drivers = filesUnder('drivers', '.ts');
  build('the host process', 'build:host', 'build/host/drivers/native/host.js', drivers);
  build('the libibverbs addon', 'build:native', 'native/build/Release/verbs.node', [
    ...filesUnder('native/src', ''),
    'native/binding.gyp',
  ]);
}

function installNpmPackages() {
  if (isNewer('node_modules/.package-lock.json', ['package-lock.json'])) return;
  say('installing the npm packages of package-lock.json');
  const command = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', command, { cwd: root, stdio: 'inherit' });
  if (status !== 0) stop('`npm ci` failed; its own message is above');
}

/** Java makes the HTML report alone, so a machine without it can still run. */
function installSystemPackages(scope) {
  const { needed, optional } = missingPackages(scope, { vm: process.env.VERBSPEC_SKIP_VM !== '1' });
  const missing = [...needed, ...optional];
  if (missing.length === 0) return;
  const names = missing.map((entry) => entry.package);
  const command = `apt-get install -y --no-install-recommends ${names.join(' ')}`;
  const reason = missing.map((entry) => `${entry.package} (${entry.purpose})`).join(', ');
  if (hasApt() && process.getuid() === 0) {
    say(`installing ${reason}`);
    if (aptInstall(names)) return;
  }
  const remedy = `missing: ${reason}; install with: ${process.getuid() === 0 ? '' : 'sudo '}${command}`;
  if (needed.length > 0) stop(remedy);
  say(remedy);
}

function hasApt() {
  return spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** A machine whose package lists are old or absent gets new ones; sources of others that fail do not matter. */
function aptInstall(names) {
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...names];
  if (spawnSync('apt-get', install, { ...options, stdio: 'ignore' }).status === 0) return true;
  spawnSync('apt-get', ['update', '-qq'], { ...options, stdio: 'ignore' });
  return spawnSync('apt-get', install, options).status === 0;
}

function build(what, script, output, sources) {
  if (isNewer(output, sources)) return;
  say(`building ${what}`);
  const options = { cwd: root, env: buildEnvironment(), stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' };
  try {
    execFileSync('npm', ['run', '--loglevel=error', script], options);
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

function say(line) {
  process.stdout.write(`set-up: ${line}\n`);
}

function stop(line) {
  process.stderr.write(`set-up: ${line}\n`);
  process.exit(brokenSetup);
}
