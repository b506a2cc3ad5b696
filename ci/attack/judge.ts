import type { Ending } from './command';
import type { Expectation, Try } from './try';

/** Lines on stderr that are no message: progress, and where commander sends the user. */
const progress = [
  /^$/,
  /^verbspec: \S+, device /,
  /^verbspec: run \d+ of \d+$/,
  /^\(verbspec --help shows the commands/,
  /^\(Did you mean /,
  /^verbspec: \d+ of \d+ scenarios/,
  /^(verbspec: )?(without a fault|fault \d+ of \d+: )/,
];

/** What nothing may ever say or send to a terminal, however it is tried. */
const never: readonly (readonly [RegExp, string])[] = [
  [/^\s+at .*:\d+/m, 'a stack trace'],
  [/\bunexpected: /, 'an error that nobody expected'],
  [/\u001b/, 'an escape sequence where no terminal is'],
  [/[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]/, 'a control character'],
  [/[\u202a-\u202e\u2066-\u2069]/, 'a control of the direction of text'],
  [/^Node\.js v\d/m, 'a crash of Node.js'],
];

/** What begins a command to a GitHub workflow; only `gate --github` has any. */
const workflowCommand = /^\s*::[a-z-]+[ :]|##\[/m;

/** What is wrong with how a try ended; none if it is as it should be. */
export function complaintsOf(one: Try, outcome: Ending): string[] {
  const { expect } = one;
  if (outcome.code === undefined) return [`it did not end within ${Math.round(outcome.durationMs / 1000)} s`];
  const said = `${outcome.stdout}\n${outcome.stderr}`;
  const annotates = one.args.includes('--github');
  return [
    ...(outcome.unheard ? [`it never said ${String(outcome.unheard)}`] : []),
    ...codeComplaint(expect, outcome.code),
    ...lineComplaints(expect, outcome),
    ...never.filter(([pattern]) => pattern.test(said)).map(([, what]) => what),
    ...(!annotates && workflowCommand.test(said) ? ['a command to a GitHub workflow'] : []),
    ...outcome.left.map((name) => `process ${name} lives on`),
    ...(outcome.tooManyMiB === undefined ? [] : [`it needed ${outcome.tooManyMiB} MiB`]),
  ];
}

function codeComplaint({ code }: Expectation, found: number): string[] {
  const right = typeof code === 'number' ? [code] : code;
  return right.includes(found) ? [] : [`exit code ${found} in place of ${right.join(' or ')}`];
}

/** A refusal is one message: what is wrong, and what to do. */
function lineComplaints({ line, on = 'stderr', messagesMax }: Expectation, outcome: Ending): string[] {
  const isRefusal = outcome.code === 2 || outcome.code === 3;
  const lines = outcome[on].split('\n');
  const messages = outcome.stderr.split('\n').filter((text) => !progress.some((pattern) => pattern.test(text)));
  const max = messagesMax ?? (isRefusal && line !== undefined && on === 'stderr' ? 1 : undefined);
  const isOwed = line !== undefined && (isRefusal || on === 'stdout');
  return [
    ...(isOwed && !lines.some((text) => line.test(text)) ? [`no line has ${String(line)}`] : []),
    ...(max !== undefined && messages.length > max ? [`${messages.length} messages in place of ${max}`] : []),
  ];
}
