'use strict';

const reporters = ['spec', './ci/unit/not-run-reporter.js'];

/** Options of Node.js for a process with tests: what they print, and that each has to run. */
module.exports = {
  reporters: reporters.flatMap((reporter) => ['--test-reporter', reporter, '--test-reporter-destination', 'stdout']),
};
