'use strict';

const { readFileSync } = require('node:fs');
const path = require('node:path');

const node = [process.execPath, '--require', './ci/typescript.js', '--test-reporter', 'spec'];
const together = 'ci/unit/together.js';

/**
 * What a process has once, in the text of a test that changes it or depends on what others have left there: its
 * environment, its seed, what Node.js can do, the step definitions, the output.
 */
const ownProcess = [
  /process\.(env|umask|chdir|exit|on|once|emit|memoryUsage|getActiveResourcesInfo)\b/,
  /\b(configureGlobal|setFlagsFromString)\b|\bmock\./,
  /\/fixtures\/(in-process|command)'|\/run\/(execute|judge-run)'/,
];

/**
 * The processes for files of tests, as steps of a graph: a process takes longer to start than most files take, so those
 * that leave nothing behind share one.
 *
 * @param root - the folder that the paths of the files begin at
 */
function processesOf(root, files) {
  const isAlone = (file) => ownProcess.some((pattern) => pattern.test(readFileSync(path.join(root, file), 'utf8')));
  const alone = files.filter(isAlone);
  const others = files.filter((file) => !alone.includes(file));
  const shared = { name: `${others.length} files in one process`, command: [...node, together, ...others] };
  return [...(others.length > 0 ? [shared] : []), ...alone.map((file) => ({ name: file, command: [...node, file] }))];
}

module.exports = { processesOf };
