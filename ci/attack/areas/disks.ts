import assert from 'node:assert/strict';
import { rule } from '../expect';
import type { Scratch } from '../scratch';
import type { Area, Ended, Try } from '../try';

/** Commands that have something to say and something to write. */
const commands: readonly (readonly [readonly string[], (scratch: Scratch) => void])[] = [
  [['run', rule], () => undefined],
  [['rules'], () => undefined],
  [['rules', '--json'], () => undefined],
  [['rules', '--check'], () => undefined],
  [['doctor', 'sim'], () => undefined],
  [['compare', 'earlier'], earlier],
  [['compare', 'earlier', '--format', 'json', '--any-suite'], earlier],
  [['gate', 'earlier', '--baseline', 'base.json', '--update'], earlier],
  [['report', 'earlier'], earlier],
  [['spec-book', '--check'], () => undefined],
];

function earlier(scratch: Scratch): void {
  scratch.run('earlier');
}

/** Nobody can read what was printed, so nobody may take the job for done. */
function fullStdout([args, prepare]: (typeof commands)[number], index: number): Try {
  return {
    name: `${args.join(' ')} > /dev/full`,
    args,
    prepare,
    under: 'exec "$@" > /dev/full',
    expect: { code: 3, line: /ENOSPC|stdout|cannot write/ },
    changes: ['out', 'out.*', 'base.json'],
    afterwards: losesNothing,
    quick: index < 2,
  };
}

function fullStderr([args, prepare]: (typeof commands)[number]): Try {
  return {
    name: `${args.join(' ')} 2> /dev/full`,
    args,
    prepare,
    under: 'exec "$@" 2> /dev/full',
    expect: { code: [0, 3] },
    changes: ['out', 'out.*', 'base.json'],
    afterwards: losesNothing,
  };
}

/** Neither half a result nor one that is hidden. */
function losesNothing({ scratch }: Ended): void {
  const hidden = scratch.names().filter((name) => name.startsWith('.'));
  assert.deepEqual(hidden, [], `hidden results: ${hidden.join(', ')}`);
}

/** What a shell allows a process, and what it has to do without. */
const limits: readonly Try[] = [
  {
    name: 'files of 8 KiB',
    args: ['run', rule],
    under: 'ulimit -f 16; exec "$@"',
    expect: { code: 3, line: /EFBIG|cannot write/ },
    changes: ['out'],
    afterwards: losesNothing,
    quick: true,
  },
  {
    name: 'files of 8 KiB, over earlier results',
    args: ['run', rule],
    prepare: (scratch) => {
      scratch.run('out');
    },
    under: 'ulimit -f 16; exec "$@"',
    expect: { code: 3, line: /EFBIG|cannot write/ },
    changes: ['out.*'],
    afterwards: losesNothing,
  },
  {
    name: 'files of no size, for a baseline',
    args: ['gate', 'earlier', '--baseline', 'base.json', '--update'],
    prepare: (scratch) => {
      scratch.run('earlier');
      scratch.baseline('base.json', 'earlier');
      scratch.write('base.json', scratch.read('base.json').replace('"pass": 2', '"pass": 1'));
    },
    under: 'ulimit -f 0; exec "$@"',
    expect: { code: 3, line: /base\.json/ },
    changes: [],
  },
  {
    name: 'no standard streams at all',
    args: ['run', rule],
    under: 'exec "$@" <&- >&- 2>&-',
    expect: { code: 0 },
  },
  {
    name: 'a small file system',
    args: ['run', rule, '--out', 'small/out'],
    prepare: (scratch) => {
      scratch.mount('small', '64k');
    },
    needs: ['mount'],
    expect: { code: 3, line: /ENOSPC|cannot write/ },
    changes: ['small/out', 'small/out.*'],
  },
  {
    name: 'a file system that is read alone',
    args: ['run', rule, '--out', 'small/out'],
    prepare: (scratch) => {
      scratch.mount('small', '64k,ro');
    },
    needs: ['mount'],
    expect: { code: [2, 3], line: /EROFS|small/ },
  },
  {
    name: 'a log on a small file system',
    args: ['rules', '--json'],
    prepare: (scratch) => {
      scratch.mount('small', '4k');
    },
    under: 'exec "$@" > small/log',
    needs: ['mount'],
    expect: { code: 3, line: /ENOSPC|stdout|cannot write/ },
    changes: ['small/log'],
  },
  {
    name: 'a book on a full disk',
    args: ['spec-book'],
    under: 'ulimit -f 64; exec "$@"',
    needs: ['mandoc'],
    expect: { code: 3, line: /EFBIG|cannot write/ },
    changes: [],
  },
];

/** Disks that are full and streams that lead nowhere. */
export const disks: Area = {
  area: 'disks',
  tries: [
    ...commands.map(fullStdout),
    ...commands.slice(0, 6).map(fullStderr),
    { ...fullStderr([['run', 'nope'], () => undefined]), expect: { code: [2, 3] } },
    ...limits,
  ],
};
