import assert from 'node:assert/strict';
import { broken, rule, usage } from '../expect';
import type { Area, Expectation, Try } from '../try';

const toLab = ['run', rule, '--driver', 'hca', '-d', 'mlx5_0', '--host'];

/** Words of `--host` that a shell or ssh could take for something else. */
const spellings: readonly string[] = [
  '-oProxyCommand=touch owned',
  '-F/dev/null',
  '--',
  '-lab1',
  'root@-oProxyCommand=touch owned',
  'me@lab;touch owned',
  'me@lab|touch owned',
  'me@lab&touch owned',
  'me@$(touch owned)',
  'me@`touch owned`',
  'me@lab\ntouch owned',
  'me@lab touch',
  'me@lab:$(touch owned)',
  'me@lab:`touch owned`',
  'me@lab:a b',
  'me@lab:a;touch owned',
  "me@lab:'a'",
  'me@lab:~root/verbspec',
  'me@lab:a/../-b',
  'me@lab:',
  'me@lab%h',
  'me@lab\u001b[31m',
  'me@lab\u202e',
  'me@@lab',
  '@lab',
  'ssh://me@lab',
  'me@[::1',
  'me@[::1%25;touch owned]',
  `me@${'x'.repeat(10_000)}:$`,
];

function trySpelling(host: string, index: number): Try {
  return {
    name: `--host ${JSON.stringify(host).slice(0, 40)}`,
    args: [...toLab, host],
    prepare: (scratch) => {
      scratch.program('bin/ssh', 'touch owned');
    },
    env: { PATH: '{here}/bin:{path}' },
    expect: usage(/--host/),
    quick: index === 0,
  };
}

/** Well-formed words reach ssh as the one word after `--`, and nothing else of them. */
const wellFormed: Readonly<Record<string, string>> = {
  'root@lab1': 'root@lab1',
  'lab-1.example.org': 'lab-1.example.org',
  '[fe80::1%eth0]': 'fe80::1%eth0',
  'me@lab:/opt/verbspec': 'me@lab',
};

function tryWellFormed([host, destination]: readonly [string, string]): Try {
  const expect: Expectation = broken(/no such luck/);
  return {
    name: `--host ${host} is one word to ssh`,
    args: [...toLab, host],
    prepare: (scratch) => {
      scratch.program(
        'bin/ssh',
        `for word; do printf '%s\\n' "$word"; done > ${scratch.path('words')}; echo no such luck >&2; exit 255`,
      );
    },
    env: { PATH: '{here}/bin:{path}' },
    expect,
    changes: ['words'],
    afterwards: ({ scratch }) => {
      const words = scratch.read('words').split('\n');
      assert.equal(words[words.indexOf('--') + 1], destination);
    },
  };
}

/** What is said of the other machine on the command line. */
export const hostNames: Area = {
  area: 'host-names',
  tries: [...spellings.map(trySpelling), ...Object.entries(wellFormed).map(tryWellFormed)],
};
