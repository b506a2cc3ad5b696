#!/usr/bin/env node
'use strict';

require('../ci/require-node');

const path = require('node:path');

const root = path.join(__dirname, '..');

try {
  require('../ci/typescript');
} catch {
  console.error('verbspec: its dependencies are not installed; run `npm start` once in ' + root);
  process.exit(3);
}

require('./main');
