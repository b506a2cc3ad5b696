import { hostileText, rule, usage, works } from '../expect';
import type { Area, Try } from '../try';

/** Words that name no rule, page or feature. */
const wrongWords: readonly string[] = [
  'nope',
  '',
  '@',
  ':1',
  'ibv_poll_cq.nope',
  '../../../etc/passwd',
  'features',
  `${rule}:5`,
  '__proto__',
  'constructor',
  hostileText,
  'x'.repeat(10_000),
];

const readers = ['run', 'prove', 'rules'] as const;

function wrongWord(command: string, word: string, index: number): Try {
  const shown = word.slice(0, 4);
  return {
    name: `${command}: ${JSON.stringify(word.slice(0, 30))} selects nothing`,
    args: [command, word],
    expect: usage(new RegExp(shown === '' ? '""' : shown.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))),
    quick: index === 0,
  };
}

/** Command lines that are wrong as a whole. */
const wrongLines: Readonly<Record<string, readonly [readonly string[], RegExp]>> = {
  'no such command': [['steal'], /steal/],
  'a command with another case': [['RUN'], /RUN/],
  'no such option': [['run', '--bogus'], /--bogus/],
  'an option that is cut short': [['run', rule, '--re'], /--re/],
  'an option of another command': [['compare', '--redact', 'x'], /--redact/],
  'a hostile option': [['run', `--${hostileText}`], /evil/],
  'compare without a run': [['compare'], /run/],
  'report without a run': [['report'], /run/],
  'gate without a run': [['gate', '--baseline', 'x'], /run/],
  'reproduce without a scenario': [['reproduce', 'x'], /scenario/],
  'gate without a baseline': [['gate', 'x'], /--baseline/],
  'rules --check with --json': [['rules', '--check', '--json'], /--json/],
  'rules --check with --run': [['rules', '--check', '--run', 'x'], /--run/],
  'rules --check with --authority': [['rules', '--check', '--authority', 'page'], /--authority/],
  'new-page without a page': [['new-page'], /page/],
  'new-page of a path': [['new-page', '../../x', '--features', '.'], /"\.\.\/\.\.\/x"/],
  'new-page of a page that there is': [['new-page', 'ibv_poll_cq'], /ibv_poll_cq has .* already/],
  'new-page with a path for a family': [
    ['new-page', 'ibv_alloc_pd', '--features', '.', '--family', '../x'],
    /--family/,
  ],
  'tie of a page without clauses': [['tie', 'ibv_nope'], /ibv_nope/],
  'spec-book --check with a run': [['spec-book', '--check', 'x'], /--check/],
  'spec-book with two editions': [['spec-book', '--man', 'a', '--man', 'b'], /--man/],
  'prove --accept of a part': [['prove', rule, '--accept'], /--accept/],
  'an MTU that there is not': [['run', rule, '--mtu', '1000'], /--mtu/],
  'an order that there is not': [['run', rule, '--order', 'random:$(reboot)'], /random/],
  'an authority that there is not': [['run', rule, '--authority', 'page,posx'], /Did you mean posix/],
  'a driver that there is not': [['doctor', 'nope'], /nope/],
  'completion for a shell that there is not': [['completion', 'fish'], /fish/],
  'a hostile driver for doctor': [['doctor', hostileText], /evil/],
  'a driver of the prototype': [['run', rule, '--driver', '__proto__'], /__proto__/],
  'a fault of the prototype': [['run', rule, '--fault', 'constructor'], /constructor/],
  'a network that there is not': [['run', rule, '--network', 'loss=0.1,latency=3'], /latency=3/],
  'a network of a device': [['run', rule, '--driver', 'hca', '-d', 'none', '--network', 'loss=0.1'], /--network/],
  'a kernel out of the cache': [['run', rule, '--driver', 'soft-roce', '--kernel', '../../../etc'], /etc/],
  'a kernel with a command': [['run', rule, '--driver', 'soft-roce', '--kernel', '$(reboot)'], /reboot/],
  'a kernel that there is not': [['run', rule, '--driver', 'soft-roce', '--kernel', '0.0'], /0\.0/],
  'a device with a path': [['run', rule, '--driver', 'hca', '-d', '../../../etc/passwd'], /passwd/],
};

const helps = [
  'run',
  'rules',
  'spec-book',
  'report',
  'doctor',
  'prove',
  'compare',
  'gate',
  'reproduce',
  'new-page',
  'tie',
];

/** Words and whole command lines that mean nothing. */
export const commandLines: Area = {
  area: 'command-lines',
  tries: [
    ...readers.flatMap((command) => wrongWords.map((word, index) => wrongWord(command, word, index))),
    ...Object.entries(wrongLines).map(([name, [args, line]], index): Try => ({
      name,
      args,
      expect: name === 'a device with a path' ? { code: [2, 3], line } : usage(line),
      quick: index % 6 === 0,
    })),
    ...helps.map((command): Try => ({ name: `${command} --help`, args: [command, '--help'], expect: works })),
    { name: '--version', args: ['--version'], expect: works, quick: true },
    { name: 'no command', args: [], expect: { code: 2 } },
  ],
};
