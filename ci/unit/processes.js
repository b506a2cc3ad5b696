'use strict';

const { readFileSync } = require('node:fs');
const path = require('node:path');
const { reporters } = require('./reporters');

const node = [process.execPath, '--require', './ci/typescript.js', ...reporters];
const together = 'ci/unit/together.js';

/** In the text of a test that changes what a process has once, or that looks at it: such a test has a process of its own. */
const ownProcess = [
  /process\.(env|umask|chdir|exit|on|once|emit|memoryUsage)\b/,
  /\bconfigureGlobal\b|\bmock\./,
  /'--require-module'/, // Cucumber loads the step definitions once in a process
];

/** In the text of a test that runs features in its process: the step definitions are loaded for all of them. */
const runsFeatures = /\/(in-process|judge-run)'/;

/**
 * The processes for files of tests, as steps of a graph. A process takes longer to start than most files take, so those
 * that leave nothing behind share one.
 *
 * @param root - the folder that the paths of the files begin at
 */
function processesOf(root, files) {
  const kinds = { own: [], features: [], others: [] };
  for (const file of files) kinds[kindOf(readFileSync(path.join(root, file), 'utf8'))].push(file);
  return [
    ...shared('files that run features', kinds.features),
    ...shared('other files', kinds.others),
    ...kinds.own.map((file) => ({ name: file, command: [...node, together, file] })),
  ];
}

function kindOf(text) {
  if (ownProcess.some((pattern) => pattern.test(text))) return 'own';
  return runsFeatures.test(text) ? 'features' : 'others';
}

function shared(what, files) {
  if (files.length === 0) return [];
  return [{ name: `in one process: ${files.length} ${what}`, command: [...node, together, ...files] }];
}

module.exports = { processesOf };
