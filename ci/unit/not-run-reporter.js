'use strict';

// A reporter for Node's test runner, beside another: lists what did not run, and fails unless that is allowed.

const path = require('node:path');
const { notRunLine, remedy, unallowed } = require('./not-run');

const root = path.join(__dirname, '..', '..');

module.exports = async function* notRun(source) {
  const ran = new Counts();
  const lines = [];
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const reason = reasonOf(data, ran.of(data));
    if (reason !== undefined) lines.push(notRunLine(nameOf(data), reason));
  }
  yield lines.map((line) => `${line}\n`).join('');
  if (unallowed(lines).length === 0) return;
  yield `${remedy}\n`;
  process.exitCode = 1;
};

/** How many tests there are in a suite, which is reported after them. */
class Counts {
  #byNesting = [];

  /** @returns the tests of a suite, where one that was left out counts as one; 1 for a test */
  of({ nesting, details, skip }) {
    const within = this.#byNesting.splice(nesting + 1).reduce((sum, count) => sum + count, 0);
    const isSuite = details?.type === 'suite';
    const count = isSuite && skip === undefined ? within : 1;
    this.#byNesting[nesting] = (this.#byNesting[nesting] ?? 0) + count;
    return count;
  }
}

function reasonOf({ skip, todo }, count) {
  if (skip !== undefined) return skip === true ? 'it says no reason' : String(skip);
  if (todo !== undefined) return 'it is still to be written';
  return count === 0 ? 'it has no tests' : undefined;
}

function nameOf({ name, file }) {
  return file === undefined ? name : `${path.relative(root, file)} "${name}"`;
}
