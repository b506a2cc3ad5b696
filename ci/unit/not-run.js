'use strict';

// What did not run, as lines that a gate can count, and whether the user has allowed it:
//
//   VERBSPEC_SKIP_VM=1                 nothing runs in a VM, nor what only a VM needs
//   VERBSPEC_ALLOW_SKIPS=Java,root     what is left out for a reason that has one of these words

const allowedMark = 'not run, as allowed  ';
const mark = 'not run  ';

/** Words of the reasons for which something may be left out without a VM. */
const ofVm = ['VERBSPEC_SKIP_VM', 'busybox'];

/** Whether what is left out for this reason fails nothing. */
function isAllowed(reason, env = process.env) {
  const words = (env.VERBSPEC_ALLOW_SKIPS ?? '').split(',').filter((word) => word.trim() !== '');
  return [...words, ...(env.VERBSPEC_SKIP_VM === '1' ? ofVm : [])].some((word) => reason.includes(word.trim()));
}

/** The line for a suite, a test, a try or a step that did not run. */
function notRunLine(what, reason, env = process.env) {
  return `${isAllowed(reason, env) ? allowedMark : mark}${what}: ${reason}`;
}

/** What did not run, by the output of a step. */
function notRunIn(output) {
  const lines = output.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line.startsWith(mark) || line.startsWith(allowedMark)))];
}

/** Of such lines, those that nobody has allowed. */
function unallowed(lines) {
  return lines.filter((line) => line.startsWith(mark));
}

const remedy = 'install what is missing, or allow it: VERBSPEC_ALLOW_SKIPS=WORD,... names words of the reasons';

module.exports = { isAllowed, notRunIn, notRunLine, remedy, unallowed };
