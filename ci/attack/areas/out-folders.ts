import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { rule, refused, usage, works } from '../expect';
import type { Scratch } from '../scratch';
import type { Area, Ended, Try } from '../try';

const run = ['run', rule];
const twice = [...run, '--repeat', '2'];

/** A number that no process has. */
const noPid = 2 ** 22 + 1;
const leftover = `.X.${hostname()}-${noPid}-abcdef`;

function thesisIn(folder: string, ...others: readonly string[]): (scratch: Scratch) => void {
  return (scratch) => {
    scratch.write(`${folder}/thesis.txt`, 'precious');
    for (const name of others) scratch.write(`${folder}/${name}`, '{}');
  };
}

/** Folders with something in them that no run has written. */
const foreign: readonly (readonly [string, readonly string[], (scratch: Scratch) => void])[] = [
  ['a thesis beside report.json', ['report', 'earlier', '--out', 'X'], thesisIn('X', 'report.json')],
  ['a thesis beside verdicts.json', [...run, '--out', 'X'], thesisIn('X', 'verdicts.json')],
  ['a thesis beside messages.ndjson', [...run, '--out', 'X'], thesisIn('X', 'messages.ndjson')],
  ['a thesis beside search-data.js', ['spec-book', '--out', 'X'], thesisIn('X', 'search-data.js', 'index.html')],
  ['a thesis beside proof.json', ['prove', 'nope', '--out', 'X'], thesisIn('X', 'proof.json')],
  [
    'verdicts.json alone',
    [...run, '--out', 'X'],
    (scratch) => {
      scratch.write('X/verdicts.json', '{"my": "own"}');
    },
  ],
  ['builds by number', [...run, '--out', 'X'], buildsIn('X')],
  ['builds by number, repeated', [...twice, '--out', 'X'], buildsIn('X')],
  [
    'a thesis beside results',
    [...run, '--out', 'X'],
    withResults((scratch) => {
      scratch.write('X/thesis.txt', 'precious');
    }),
  ],
  [
    'a thesis within results',
    [...run, '--out', 'X'],
    withResults((scratch) => {
      scratch.write('X/trace/thesis.txt', 'precious');
    }),
  ],
  [
    'a hidden folder beside results',
    [...run, '--out', 'X'],
    withResults((scratch) => {
      scratch.write('X/.git/HEAD', 'precious');
    }),
  ],
  [
    'a thesis beside results, repeated',
    [...twice, '--out', 'X'],
    withResults((scratch) => {
      scratch.write('X/thesis.txt', 'precious');
    }),
  ],
  [
    'a thesis beside repeated runs',
    [...twice, '--out', 'X'],
    repeated((scratch) => {
      scratch.write('X/thesis.txt', 'precious');
    }),
  ],
  [
    'a thesis within a repeated run',
    [...twice, '--out', 'X'],
    repeated((scratch) => {
      scratch.write('X/2/thesis.txt', 'precious');
    }),
  ],
  [
    "a folder of the user's among repeated runs",
    [...twice, '--out', 'X'],
    repeated((scratch) => {
      scratch.write('X/7/verdicts.json', '{}');
    }),
  ],
  ['results of a run for a report', ['report', 'earlier', '--out', 'X'], withResults(() => undefined)],
  ['results of a run for a book', ['spec-book', '--out', 'X'], withResults(() => undefined)],
  ['a forged mark', [...run, '--out', 'X'], thesisIn('X', '.verbspec', 'verdicts.json')],
  [
    'the working folder',
    [...run, '--out', '.'],
    (scratch) => {
      scratch.write('thesis.txt', 'precious');
    },
  ],
  ['the folder above', [...run, '--out', '..'], () => undefined],
  ['the root', [...run, '--out', '/'], () => undefined],
];

function buildsIn(folder: string): (scratch: Scratch) => void {
  return (scratch) => {
    for (const build of ['1234', '99']) {
      scratch.write(`${folder}/${build}/verdicts.json`, '{}');
      scratch.write(`${folder}/${build}/artifact.tar`, 'precious');
    }
  };
}

function withResults(change: (scratch: Scratch) => void): (scratch: Scratch) => void {
  return (scratch) => {
    scratch.run('X');
    change(scratch);
  };
}

function repeated(change: (scratch: Scratch) => void): (scratch: Scratch) => void {
  return (scratch) => {
    scratch.run('X/1');
    scratch.run('X/2');
    change(scratch);
  };
}

function tryForeign([name, args, prepare]: (typeof foreign)[number], index: number): Try {
  return {
    name,
    args,
    prepare: (scratch) => {
      prepare(scratch);
      if (args[0] === 'report') scratch.run('earlier');
    },
    expect: usage(args[0] === 'prove' ? /nope/ : /X|here|try-|--out/),
    changes: [],
    ...(args[0] === 'spec-book' && { needs: ['mandoc'] }),
    quick: index < 3 || name === 'builds by number',
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
    name: 'a volume that is too small for another run',
    args: [...run, '--out', 'X'],
    prepare: (scratch) => {
      scratch.mount('X', '1m');
      scratch.run('X');
      scratch.write('fill', Buffer.alloc(0));
    },
    under: 'head -c 100M /dev/zero > X/allure-results/fill-attachment.txt 2> /dev/null; exec "$@"',
    needs: ['mount'],
    expect: refused(/ENOSPC|space|X/),
    changes: ['X/allure-results/fill-attachment.txt'],
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

/** `--out` takes nothing away that no run of verbspec wrote. */
export const outFolders: Area = {
  area: 'out-folders',
  tries: [
    ...foreign.map(tryForeign),
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
