import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { refused, rule, usage, works } from '../expect';
import type { Scratch } from '../scratch';
import type { Area, Ended, Try } from '../try';

const run = ['run', rule];

/** A number that no process has. */
const noPid = 2 ** 22 + 1;
const leftover = `.X.${hostname()}-${noPid}-abcdef`;

function withResults(change: (scratch: Scratch) => void): (scratch: Scratch) => void {
  return (scratch) => {
    scratch.run('X');
    change(scratch);
  };
}

function replacesResults({ scratch }: Ended): void {
  assert.ok(scratch.has('X/verdicts.json'), 'there are no results');
  assert.ok(!scratch.has('X/thesis.txt'));
}

const inMemory: readonly Try[] = [
  {
    name: "a volume with files of the user's",
    args: [...run, '--out', 'X'],
    prepare: (scratch) => {
      scratch.mount('X', '8m');
      scratch.write('X/mine.txt', 'precious');
      scratch.write('X/verdicts.json', '{}');
    },
    needs: ['mount'],
    expect: usage(/X/),
    changes: [],
  },
  {
    name: 'a volume that is too small for another run beside the earlier one',
    args: [...run, '--out', 'X'],
    prepare: (scratch) => {
      scratch.mount('X', `${Math.ceil(scratch.runKiB * 1.3)}k`);
      scratch.run('X');
    },
    needs: ['mount'],
    expect: refused(/ENOSPC|space/),
    changes: ['X/incomplete'], // what fits; the earlier results are as they were
  },
  {
    name: 'an empty volume',
    args: [...run, '--out', 'X'],
    prepare: (scratch) => {
      scratch.mount('X', '8m');
    },
    needs: ['mount'],
    expect: works,
    changes: ['X'],
    afterwards: replacesResults,
  },
];

/** What may be replaced is, and what goes with it. */
export const earlierResults: Area = {
  area: 'earlier-results',
  tries: [
    ...inMemory,
    {
      name: 'earlier results are replaced',
      args: [...run, '--out', 'X'],
      prepare: withResults(() => undefined),
      expect: works,
      changes: ['X'],
      afterwards: replacesResults,
      quick: true,
    },
    {
      name: 'a link to earlier results stays a link',
      args: [...run, '--out', 'L'],
      prepare: withResults((scratch) => {
        scratch.link('L', 'X');
      }),
      expect: works,
      changes: ['X'],
    },
    {
      name: 'what a link in earlier results leads to stays',
      args: [...run, '--out', 'X'],
      prepare: withResults((scratch) => {
        scratch.write('precious/thesis.txt', 'precious');
        scratch.link('X/trace/link', '../../precious');
      }),
      expect: { code: [0, 2] },
      changes: ['X'],
    },
    {
      name: 'what a killed run has left beside them goes',
      args: [...run, '--out', 'X'],
      prepare: withResults((scratch) => {
        scratch.write(`${leftover}/messages.ndjson`, '');
      }),
      expect: works,
      changes: ['X', leftover],
      afterwards: ({ scratch }) => {
        assert.ok(!scratch.has(leftover), `${leftover} is still there`);
      },
    },
    {
      name: 'two runs at the same time',
      args: [...run, '--out', 'X'],
      under: '"$@" & "$@"; code=$?; wait $! || code=$?; exit $code',
      expect: works,
      changes: ['X'],
      afterwards: replacesResults,
    },
    {
      name: 'files that others may not read are for the umask to make',
      args: [...run, '--out', 'X'],
      under: 'umask 022; exec "$@"',
      expect: works,
      changes: ['X'],
      afterwards: ({ scratch }) => {
        assert.ok(scratch.modeOf('X') % 8 === 5, 'others may not read the results');
      },
    },
  ],
};
