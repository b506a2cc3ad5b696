'use strict';

const { existsSync } = require('node:fs');
const path = require('node:path');

/**
 * What runs need of the system: where it is found, the Debian package that brings it, and what for.
 * `scopes` names the set-ups that want it; `vm` marks what only the VM wants.
 */
const wanted = [
  {
    program: 'java',
    package: 'default-jre-headless',
    purpose: 'HTML of the Allure report',
    scopes: ['sim', 'hca', 'all'],
    optional: true,
  },
  { program: 'g++', package: 'g++', purpose: 'compiles the addon', scopes: ['hca', 'all'] },
  { program: 'make', package: 'make', purpose: 'compiles the addon', scopes: ['hca', 'all'] },
  { program: 'python3', package: 'python3', purpose: 'compiles the addon', scopes: ['hca', 'all'] },
  {
    file: '/usr/include/infiniband/verbs.h',
    package: 'libibverbs-dev',
    purpose: 'header of libibverbs',
    scopes: ['hca', 'all'],
  },
  {
    file: '/usr/include/nlohmann/json.hpp',
    package: 'nlohmann-json3-dev',
    purpose: 'JSON for the addon',
    scopes: ['hca', 'all'],
  },
  {
    file: '/etc/libibverbs.d/rxe.driver',
    package: 'ibverbs-providers',
    purpose: 'user-space half of soft-RoCE',
    scopes: ['all'],
  },
  {
    program: 'mandoc',
    package: 'mandoc',
    purpose: 'renders man pages for the spec book',
    scopes: ['hca', 'all'],
    optional: true,
  },
  { program: 'chromium', package: 'chromium', purpose: 'tests the spec book, and runs the features', scopes: ['all'] },
  { program: 'shellcheck', package: 'shellcheck', purpose: 'checks the shell scripts for a CI', scopes: ['all'] },
  { program: 'groovyc', package: 'groovy', purpose: 'checks the pipeline for Jenkins', scopes: ['all'] },
  { program: 'ssh', package: 'openssh-client', purpose: 'reaches devices of other machines', scopes: ['all'] },
  { program: 'rdma', package: 'iproute2', purpose: 'makes the rxe device', scopes: ['all'] },
  { program: 'qemu-system-x86_64', package: 'qemu-system-x86', purpose: 'runs the VM', scopes: ['all'], vm: true },
  { program: 'busybox', package: 'busybox-static', purpose: 'boots the VM', scopes: ['all'], vm: true },
];

/** Where programs are; a user's PATH often lacks the sbin folders. */
const programFolders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'];

/** The packages that are missing for a set-up. */
function missingPackages(scope, { vm }) {
  const missing = wanted.filter((entry) => entry.scopes.includes(scope) && (vm || !entry.vm) && !isThere(entry));
  return { needed: missing.filter((entry) => !entry.optional), optional: missing.filter((entry) => entry.optional) };
}

function isThere({ program, file }) {
  if (file !== undefined) return existsSync(file);
  return programFolders.some((folder) => existsSync(path.join(folder, program)));
}

module.exports = { missingPackages };
