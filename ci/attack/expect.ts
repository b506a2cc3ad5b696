import { join } from 'node:path';
import { root } from '../../cli/common/project';
import type { Expectation } from './try';

/** A rule that takes a moment to run. */
export const rule = 'ibv_req_notify_cq.one-shot';

/** One of which a scenario fails under {@link silentOverrun}. */
export const overrunRule = 'ibv_poll_cq.overrun-async-event';
export const silentOverrun = ['--fault', 'overrun-is-silent'];

/** A driver of the tests, by the name of its module. */
export function driver(name: string): string[] {
  return ['--driver', join(root, 'cli', 'fixtures', `${name}.ts`)];
}

/** It does what it was asked to, whatever it says. */
export const works: Expectation = { code: 0 };

/** Wrong usage, in one line on stderr. */
export function usage(line: RegExp): Expectation {
  return { code: 2, line };
}

/** A broken set-up, or nothing to judge, in one line on stderr. */
export function broken(line: RegExp): Expectation {
  return { code: 3, line };
}

/** Wrong usage or a broken set-up: either says that nothing was judged. */
export function refused(line: RegExp): Expectation {
  return { code: [2, 3], line };
}

/** A pattern of a text that stands for itself. */
export function exactly(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
}

/** Text that steers terminals, logs of CI and readers of text where nobody keeps it from that. */
export const hostileText = 'evil\u001b[31m\u001b]0;owned\u0007\u202e\r\n::add-mask::x ##[error]y\u009b1m';
