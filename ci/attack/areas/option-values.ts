import { commandWith, optionsOfKind, prepareBeside, type OptionKind, type TriedOption } from '../option-kinds';
import { exactly, hostileText, refused, usage } from '../expect';
import type { Area, Expectation, Try } from '../try';

const withValue: readonly OptionKind[] = [
  'count',
  'choice',
  'name',
  'json-file',
  'file',
  'folder',
  'module',
  'output-folder',
  'output-file',
];

/** A value that is wrong for each option of some kinds. */
interface Family {
  readonly name: string;
  readonly kinds: readonly OptionKind[];
  readonly args: (option: TriedOption) => readonly string[];
  readonly expect: (option: TriedOption) => Expectation;
  readonly except?: readonly string[];
  readonly changes?: readonly string[];
}

/** What commander, or the command itself, says of a value that it does not take. */
function namesValue({ flag }: TriedOption, value: string): Expectation {
  return usage(new RegExp(`${flag}|"${value}"|${exactly(value).source}`));
}

function wrongCount(value: string, ...except: readonly string[]): Family {
  return {
    name: JSON.stringify(value),
    kinds: ['count'],
    args: (option) => commandWith(option, value),
    expect: (option) => usage(new RegExp(option.flag)),
    except,
  };
}

const families: readonly Family[] = [
  {
    name: 'no value',
    kinds: withValue,
    args: (option) => commandWith(option),
    expect: ({ flag }) => usage(new RegExp(`${flag} .*argument missing`)),
    except: ['--systematic'], // which may do without
  },
  {
    name: 'a value that it does not take',
    kinds: ['flag'],
    args: (option) => commandWith({ ...option, flag: `${option.flag}=x` }),
    expect: ({ flag }) => usage(new RegExp(`${flag}=x`)),
  },
  {
    name: 'an empty value',
    kinds: withValue,
    args: (option) => commandWith(option, ''),
    expect: ({ flag, kind }) => {
      const line = new RegExp(`${flag.replace(/^-+/, '')}|""|there is no |empty|cannot write`);
      return kind === 'output-file' ? refused(line) : usage(line);
    },
  },
  {
    name: 'a hostile value',
    kinds: ['count', 'choice', 'name', 'json-file', 'file', 'folder', 'module'],
    except: ['--history'], // the folder is made
    args: (option) => commandWith(option, hostileText),
    expect: () => usage(/evil/),
  },
  {
    name: 'a hostile name of a folder or file to write',
    kinds: ['output-folder', 'output-file'],
    except: ['--out of prove'], // it takes long, and prints the name as the others do
    args: (option) => commandWith(option, hostileText),
    expect: ({ command }) => (command === 'report' ? { code: [2, 3] } : { code: [0, 2] }),
    changes: [hostileText],
  },
  {
    name: 'a word of ten thousand letters',
    kinds: ['choice', 'name', 'json-file', 'file', 'folder', 'module', 'output-folder', 'output-file'],
    except: ['--out of prove'],
    args: (option) => commandWith(option, 'x'.repeat(10_000)),
    expect: () => ({ code: [2, 3], line: /xxx/ }),
  },
  wrongCount('-1'),
  wrongCount('1.5'),
  wrongCount('NaN'),
  wrongCount('0x10', '--jobs'),
  wrongCount('1e3', '--jobs'), // which is a number, and a thousand processes
  wrongCount('99999999999999999999', '--jobs', '--repeat'),
  {
    name: '"nope"',
    kinds: ['choice', 'module', 'json-file', 'file'],
    args: (option) => commandWith(option, 'nope'),
    expect: (option) => namesValue(option, 'nope'),
  },
];

/** Every option of every command with values that are wrong whatever it means. */
export const optionValues: Area = { area: 'option-values', tries: families.flatMap(triesOf) };

/** One of each family runs in `npm test`, of the commands in turn. */
function triesOf({ name, kinds, args, expect, except = [], changes }: Family, turn: number): Try[] {
  const options = optionsOfKind(...kinds).filter(
    ({ command, flag }) => !except.includes(flag) && !except.includes(`${flag} of ${command}`),
  );
  const commands = [...new Set(options.map(({ command }) => command))];
  const quick = options.find(({ command }) => command === commands[turn % commands.length]);
  return options.map((option) => ({
    name: `${option.command} ${option.flag}: ${name}`,
    args: args(option),
    prepare: (scratch) => {
      prepareBeside(scratch, option);
    },
    expect: expect(option),
    ...(changes && { changes }),
    ...(option.command === 'prove' && { maxMs: 180_000 }),
    quick: option === quick,
  }));
}
