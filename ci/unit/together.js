'use strict';

// Runs files of tests in this process, one after the other, each as a suite with the name of the file:
// node --require ./ci/typescript.js ci/unit/together.js FILE.test.ts ...

const path = require('node:path');
const { after, before, describe } = require('node:test');

const left = new Set(process.argv.slice(2));
let underWay = 'to load the files';

for (const file of left) {
  describe(file, () => {
    before(() => {
      underWay = file;
      process.stdout.write(`# ${file}\n`); // the last of these names the file in which a process dies
    });
    after(() => left.delete(file));
    require(path.resolve(file));
  });
}

process.on('exit', () => {
  if (left.size === 0) return;
  process.exitCode = 1;
  process.stdout.write(`the process ended in ${underWay}; these did not come to an end: ${[...left].join(', ')}\n`);
});
