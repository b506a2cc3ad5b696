import { deviation } from '../../../reports/fixtures/deviation';
import type { Deviation } from '../../../catalog/deviations';
import { overrunRule, rule, silentOverrun, usage, works } from '../expect';
import type { Area, Expectation, Try } from '../try';

const entry = deviation({ rule: overrunRule, when: { provider: 'sim' }, symptom: '.' });

/** Lists that are wrong, each with what its message has to name beside the file. */
const wrong: Readonly<Record<string, readonly [unknown, RegExp]>> = {
  'an unknown rule': [[{ ...entry, rule: 'ibv_poll_cq.nope' }], /ibv_poll_cq\.nope/],
  'a hostile rule': [[{ ...entry, rule: 'evil\u001b[31m\u202e\n::add-mask::x' }], /evil/],
  'no symptom': [[{ ...entry, symptom: undefined }], /symptom/],
  'a symptom that is no expression': [[{ ...entry, symptom: '(' }], /symptom/],
  'a member that there is not': [[{ ...entry, evil: 1 }], /evil/],
  'a hostile member': [[{ ...entry, 'evil\u001b[31m\n::add-mask::x': 1 }], /evil/],
  'a link that is a script': [[{ ...entry, link: 'javascript:alert(1)' }], /link/],
  'no conditions': [[{ ...entry, when: {} }], /when/],
  'a range that is none': [[{ ...entry, when: { kernel: '<<6' } }], /kernel/],
  'a day that there is not': [[{ ...entry, expires: '2026-13-45' }], /expires/],
  'two entries for one scenario': [[entry, entry], /mine\.json:1.*mine\.json:1|two deviations/],
  'a rule of the prototype': [[{ ...entry, rule: '__proto__' }], /__proto__/],
  'a number': [7, /mine\.json/],
};

function tryWrong([name, [list, line]]: readonly [string, readonly [unknown, RegExp]]): Try {
  return {
    name,
    args: ['run', overrunRule, '--deviations', 'mine.json'],
    prepare: (scratch) => {
      scratch.json('mine.json', list);
    },
    expect: usage(line),
  };
}

/** Lists that hold, whatever is in them. */
function tryLawful(name: string, text: string, expect: Expectation, more: Partial<Try> = {}): Try {
  return {
    name,
    args: ['run', overrunRule, ...silentOverrun, '--deviations', 'mine.json'],
    prepare: (scratch) => {
      scratch.write('mine.json', text);
    },
    expect,
    changes: ['out'],
    ...more,
  };
}

function listOf(change: Partial<Deviation>): string {
  return JSON.stringify([{ ...entry, ...change }]);
}

/** An expression that takes longer than anybody lives to say that it does not match. */
const endless = '^(([\\s\\S])+)+\\u0000$';

/** Lists of known deviations, which come with the changes of others. */
export const deviations: Area = {
  area: 'deviations',
  tries: [
    ...Object.entries(wrong).map(tryWrong),
    tryLawful('a symptom without an end', listOf({ symptom: endless }), { code: [1, 2, 3] }, { quick: true }),
    tryLawful('a symptom that doubles', listOf({ symptom: '^(a|a|[\\s\\S])*\\u0000$' }), { code: [1, 2, 3] }),
    tryLawful(
      'SIGINT in a symptom without an end',
      listOf({ symptom: endless }),
      { code: [1, 2, 3, 130] },
      { signals: [{ after: /device sim0/, signal: 'SIGINT', delayMs: 3000 }], changes: ['out', 'out.*'] },
    ),
    tryLawful('a byte order mark', `\ufeff${listOf({})}`, works, { quick: true }),
    tryLawful('an empty list', '[]', { code: 1 }),
    tryLawful('an entry past its last day', listOf({ expires: '2001-01-01' }), { code: 1 }),
    tryLawful(
      'hostile text',
      listOf({ reason: 'evil\u001b[31m\u202e\n::add-mask::x ##[error]y', owner: 'evil\u0007' }),
      works,
    ),
    tryLawful('a reason of 20 MB', listOf({ reason: 'x'.repeat(20_000_000) }), { code: [0, 2] }),
    tryLawful('a prototype', `[{"__proto__": {"rule": "x"}, ${listOf({}).slice(2)}`, { code: [0, 2] }),
    tryLawful('comments', '// mine\n[]', usage(/mine\.json/)),
    tryLawful('a hundred thousand entries', JSON.stringify(Array(100_000).fill(entry)), { code: [2, 3] }),
    {
      name: 'the same list twice',
      args: ['run', overrunRule, '--deviations', 'mine.json', '--deviations', 'mine.json'],
      prepare: (scratch) => {
        scratch.write('mine.json', listOf({}));
      },
      expect: usage(/mine\.json/),
    },
    {
      name: 'many lists',
      args: ['run', rule, ...Array.from({ length: 500 }, () => ['--deviations', 'empty.json']).flat()],
      prepare: (scratch) => {
        scratch.write('empty.json', '[]');
      },
      expect: works,
      changes: ['out'],
    },
  ],
};
