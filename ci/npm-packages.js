'use strict';

const { readFileSync } = require('node:fs');
const path = require('node:path');

/**
 * Options of npm that install what package-lock.json names and is not there, or `undefined` if all of it is.
 *
 * Users need no development packages; where they are, they stay. No package runs a script of its own: none needs to, and
 * one would fetch what no lock file names.
 */
function installOptions(root, needsDevelopment) {
  const wanted = packagesOf(path.join(root, 'package-lock.json'));
  const installed = packagesOf(path.join(root, 'node_modules', '.package-lock.json'));
  const development = needsDevelopment || Object.keys(installed).some((name) => installed[name].dev);
  const missing = Object.keys(wanted)
    .filter((name) => name !== '' && !wanted[name].optional && (development || !wanted[name].dev))
    .filter((name) => !installed[name] || installed[name].integrity !== wanted[name].integrity);
  if (missing.length === 0) return undefined;
  const scope = development ? [] : ['--omit=dev'];
  return ['ci', ...scope, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
}

function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return {};
  }
}

module.exports = { installOptions };
