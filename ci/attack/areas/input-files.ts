import { commandWith, optionsOfKind, prepareBeside, type TriedOption } from '../option-kinds';
import { refused, usage } from '../expect';
import type { Scratch } from '../scratch';
import type { Area, Expectation, Try } from '../try';

/** What can lie where a file is to be read. */
interface Hazard {
  readonly name: string;
  /** What is named; `given` unless given. */
  readonly value?: string;
  readonly prepare?: (scratch: Scratch) => void;
  readonly as?: 'nobody';
  /** Whether it is only for what is read as JSON. */
  readonly isJson?: boolean;
}

const mebibyte = 1024 * 1024;

const hazards: readonly Hazard[] = [
  { name: 'nothing' },
  {
    name: 'a folder',
    prepare: (scratch) => {
      scratch.folder('given');
    },
  },
  {
    name: 'a FIFO',
    prepare: (scratch) => {
      scratch.fifo('given');
    },
  },
  { name: '/dev/zero', value: '/dev/zero' },
  { name: 'a file of /proc without an end', value: '/proc/self/pagemap' },
  {
    name: 'a link to itself',
    prepare: (scratch) => {
      scratch.link('given', 'given');
    },
  },
  {
    name: 'below a file',
    value: 'file/given',
    prepare: (scratch) => {
      scratch.write('file', '');
    },
  },
  { name: 'a file of another user', as: 'nobody', value: '/etc/shadow' },
  {
    name: '300 MiB of nothing',
    prepare: (scratch) => {
      scratch.sparse('given', 300 * mebibyte);
    },
  },
  {
    name: 'an empty file',
    prepare: (scratch) => {
      scratch.write('given', '');
    },
  },
  {
    name: 'bytes that are no text',
    prepare: (scratch) => {
      scratch.write('given', Buffer.from([0xff, 0xfe, 0, 1, 27]));
    },
  },
  ...jsonHazards({
    'JSON that is cut off': '{"schemaVersion": 1, "rules": [{"id": "',
    null: 'null',
    'a list': '[1]',
    'an object without members': '{}',
    'a string': '"text"',
    'hostile text': '{"\\u001b[31m": \u001b]0;x\u0007 ::add-mask::x\n\u202e}',
    'two hundred thousand levels': '['.repeat(200_000) + ']'.repeat(200_000),
    __proto__: '{"__proto__": {"rules": []}, "constructor": {"prototype": 1}}',
  }),
];

function jsonHazards(texts: Readonly<Record<string, string>>): Hazard[] {
  return Object.entries(texts).map(([name, text]) => ({
    name,
    isJson: true,
    prepare: (scratch) => {
      scratch.write('given', text);
    },
  }));
}

/** Where runs and findings are named as arguments: how a command line with one at its end begins. */
const readers: readonly (readonly string[])[] = [
  ['compare'],
  ['report'],
  ['spec-book'],
  ['gate', '--baseline', 'base.json', '--update'],
  ['explore', '--emit', 'md'],
];

/** Hazards that are tried with every reader of arguments; all read them in the same way. */
const forEveryReader = ['a FIFO', 'a link to itself', 'null', 'two hundred thousand levels', 'hostile text'];

/** Every option and argument that names a file to read, with what is not such a file. */
export const inputFiles: Area = {
  area: 'input-files',
  tries: [
    ...optionsOfKind('json-file', 'file').flatMap((option) =>
      hazardsFor(option).map((hazard) => tryOption(option, hazard)),
    ),
    ...readers.flatMap((args) =>
      hazards
        .filter(({ name }) => args[0] === 'compare' || forEveryReader.includes(name))
        .map((hazard) => tryArgument(args, hazard)),
    ),
  ],
};

function hazardsFor({ kind }: TriedOption): readonly Hazard[] {
  return hazards.filter(({ isJson = false }) => !isJson || kind === 'json-file');
}

function tryOption(option: TriedOption, hazard: Hazard): Try {
  const { value = 'given' } = hazard;
  return {
    ...tryHazard(`${option.command} ${option.flag}`, hazard, commandWith(option, value)),
    prepare: (scratch) => {
      prepareBeside(scratch, option);
      hazard.prepare?.(scratch);
    },
    expect: expectation(hazard, option.flag),
    quick: option.flag === '--deviations' && ['a FIFO', 'a list', 'a link to itself'].includes(hazard.name),
  };
}

function tryArgument(args: readonly string[], hazard: Hazard): Try {
  const { value = 'given', prepare } = hazard;
  const one = tryHazard(args[0] ?? '', hazard, [...args, value]);
  return { ...one, ...(prepare && { prepare }), quick: args[0] === 'compare' && hazard.name === 'a FIFO' };
}

function tryHazard(what: string, hazard: Hazard, args: readonly string[]): Try {
  return {
    name: `${what}: ${hazard.name}`,
    args,
    expect: expectation(hazard),
    memoryMaxMiB: 1200,
    ...(hazard.as && { as: hazard.as }),
  };
}

/** The message names the file, or the option that named it. */
function expectation({ value = 'given', as }: Hazard, flag = value): Expectation {
  const line = new RegExp(`${value}|${flag}`);
  return as === undefined ? usage(line) : refused(line);
}
