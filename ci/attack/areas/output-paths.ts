import { commandWith, optionsOfKind, prepareBeside, type TriedOption } from '../option-kinds';
import { refused } from '../expect';
import type { Scratch } from '../scratch';
import type { Area, Try } from '../try';

/** What can lie where something is to be written. */
interface Hazard {
  readonly name: string;
  /** What is named; `given` unless given. */
  readonly value?: string;
  readonly prepare?: (scratch: Scratch) => void;
  readonly as?: 'nobody';
  readonly isFor: readonly TriedOption['kind'][];
}

const both = ['output-folder', 'output-file', 'folder'] as const;

const hazards: readonly Hazard[] = [
  {
    name: 'a file',
    prepare: (scratch) => {
      scratch.write('given', 'precious');
    },
    isFor: ['output-folder', 'folder'],
  },
  {
    name: 'a folder',
    prepare: (scratch) => {
      scratch.write('given/thesis.txt', 'precious');
    },
    isFor: ['output-file'],
  },
  {
    name: 'a FIFO',
    prepare: (scratch) => {
      scratch.fifo('given');
    },
    isFor: both,
  },
  {
    name: 'a link to itself',
    prepare: (scratch) => {
      scratch.link('given', 'given');
    },
    isFor: both,
  },
  {
    name: 'below a file',
    value: 'file/given',
    prepare: (scratch) => {
      scratch.write('file', 'precious');
    },
    isFor: both,
  },
  { name: '/proc', value: '/proc/a/given', isFor: both },
  { name: '/dev/full', value: '/dev/full', isFor: ['output-file'] },
  { name: '/dev/null/given', value: '/dev/null/given', isFor: both },
  { name: 'a folder of another user', value: '/etc/given', as: 'nobody', isFor: both },
  { name: 'a name that is too long', value: `given${'x'.repeat(300)}`, isFor: both },
];

/** Every option that names a folder or file to write, with what cannot be written or must not. */
export const outputPaths: Area = {
  area: 'output-paths',
  tries: [
    ...optionsOfKind('output-folder', 'output-file', 'folder').flatMap((option) =>
      hazards
        .filter(({ isFor }) => isFor.includes(option.kind))
        .filter(({ name }) => option.command !== 'prove' || name === 'a file')
        .map((hazard) => tryOption(option, hazard)),
    ),
    ...['/dev/full', 'a-folder', '/proc/a/given'].map(tryBaseline),
  ],
};

function tryOption(option: TriedOption, { name, value = 'given', prepare, as }: Hazard): Try {
  return {
    name: `${option.command} ${option.flag}: ${name}`,
    args: commandWith(option, value),
    prepare: (scratch) => {
      prepareBeside(scratch, option);
      prepare?.(scratch);
    },
    expect: refused(new RegExp(`${option.flag}|given|${value.slice(0, 20)}`)),
    changes: [],
    ...(as && { as }),
    ...(option.command === 'prove' && { maxMs: 180_000 }), // it may look only once it has something to write
    quick: option.flag === '--out' && ['a file', '/proc', 'a FIFO'].includes(name) && option.command !== 'prove',
  };
}

function tryBaseline(path: string): Try {
  return {
    name: `gate --update: ${path}`,
    args: ['gate', 'earlier', '--update', '--baseline', path],
    prepare: (scratch) => {
      scratch.run('earlier');
      scratch.folder('a-folder');
    },
    expect: refused(new RegExp(path)),
  };
}
