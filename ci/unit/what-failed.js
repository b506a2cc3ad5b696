'use strict';

const { stripVTControlCharacters } = require('node:util');

/** How a runner of tests, a proof or a gate marks what went wrong. */
const marks = new RegExp(
  [
    'WRONG|✖|^not ok|\\bFAILED\\b|panic|Error:|\\balarm',
    '^gate (failed|broken)|^(regression|surprise|stale deviation|rule vanished|flaky rule|rule broken): ',
    '^(capability|device) lost: |^exit [2-5]: ',
  ].join('|'),
);
/** How a runner of tests marks what passed, what has parts, and the file that it has come to. */
const unmarked = /^[✔▶]|^# \S+\.test\.ts$/;
const mostLines = 8;
const mostCharacters = 220;

/**
 * The lines of a failed step that tell why, for the end of a long log: those with a mark of failure, or else the last ones.
 *
 * @param output - all that the step has printed
 * @returns at most eight lines, each cut to what a line of a log can hold
 */
function whatFailed(output) {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const marked = [...new Set(lines.filter((line) => marks.test(line) && !unmarked.test(line)))];
  const shown = marked.length > 0 ? marked.slice(0, mostLines) : lines.slice(-mostLines);
  return shown.map((line) => (line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line));
}

module.exports = { whatFailed };
