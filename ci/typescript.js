'use strict';

// Runs TypeScript as it is: node -r ./ci/typescript.js FILE.ts
//
// ts-node, and from 22 on Node.js, keep compiled code in the folder for temporary files, and run what lies there, whoever
// has put it there. So nothing is kept: not by this process, nor by those that it starts.
process.env.DISABLE_V8_COMPILE_CACHE = '1';
process.env.NODE_DISABLE_COMPILE_CACHE = '1';

const path = require('node:path');

const root = path.join(__dirname, '..');

require('ts-node').register({ transpileOnly: true, cwd: root, project: path.join(root, 'tsconfig.json') });
