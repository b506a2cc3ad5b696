import { rule, usage } from '../expect';
import type { Scratch } from '../scratch';
import type { Area, Try } from '../try';

const run = ['run', rule];
const twice = [...run, '--repeat', '2'];

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
    expect: usage(/X|here|try-|--out/),
    changes: [],
    ...(args[0] === 'spec-book' && { needs: ['mandoc'] }),
    quick: index < 3 || name === 'builds by number',
  };
}

/** `--out` takes nothing away that no run of verbspec wrote. */
export const outFolders: Area = { area: 'out-folders', tries: foreign.map(tryForeign) };
