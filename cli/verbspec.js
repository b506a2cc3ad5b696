#!/usr/bin/env node
'use strict';

process.exitCode = 3; // until the command says how it came out

require('../ci/require-node');

const os = require('node:os');
const path = require('node:path');

const root = path.join(__dirname, '..');

/** Tells why nothing can run. */
function tell(error) {
  const last = [error?.cause ?? error].flat().at(-1); // swc has a list of what it has tried
  const [cause = ''] = String(last?.message ?? last).split('\n', 1);
  const why = process.env.VERBSPEC_DEBUG ? (error?.stack ?? cause) : cause;
  const isMissing = error?.code === 'MODULE_NOT_FOUND' && !/^\.{0,2}\//.test(/'(.*?)'/.exec(cause)?.[1] ?? '');
  if (isMissing)
    console.error(`verbspec: its dependencies are not installed (${why}); run \`npm start\` once in ${root}`);
  else console.error(`verbspec: it cannot be loaded: ${why}; VERBSPEC_DEBUG=1 shows where`);
}

// Cucumber asks for the home folder as it is loaded, and a user of a container may have none.
try {
  os.homedir();
} catch {
  process.env.HOME = '';
}

try {
  process.cwd();
} catch {
  console.error('verbspec: the working folder is gone; change into another');
  process.exit(3);
}

try {
  require('../ci/typescript');
  require('./main');
} catch (error) {
  tell(error);
}
