import { deviation, listOf } from '../../../reports/fixtures/deviation';
import type { Data } from '../../../drivers/contract';
import type { Deviation } from '../../../catalog/deviations';
import { overrunRule, rule, silentOverrun, usage, works } from '../expect';
import type { Area, Expectation, Try } from '../try';

const entry = deviation({ rule: overrunRule, when: { provider: 'sim' } });

/** Entries that are wrong, each with what its message has to name beside the file. */
const wrongEntries: Readonly<Record<string, readonly [readonly object[], RegExp]>> = {
  'an unknown rule': [[{ ...entry, rule: 'ibv_poll_cq.nope' }], /ibv_poll_cq\.nope/],
  'a hostile rule': [[{ ...entry, rule: 'evil\u001b[31m\u202e\n::add-mask::x' }], /evil/],
  'no symptom': [[{ ...entry, symptom: undefined }], /symptom/],
  'a symptom of words': [[{ ...entry, symptom: 'observed 1' }], /symptom.*crash, hang, panic/],
  'a symptom without a subject': [[{ ...entry, symptom: { observed: 1 } }], /symptom.*subject/],
  'a symptom with a member that there is not': [[{ ...entry, symptom: { subject: '*', evil: 1 } }], /evil/],
  'a member that there is not': [[{ ...entry, evil: 1 }], /evil/],
  'a hostile member': [[{ ...entry, 'evil\u001b[31m\n::add-mask::x': 1 }], /evil/],
  'a link that is a script': [[{ ...entry, link: 'javascript:alert(1)' }], /link/],
  'no conditions': [[{ ...entry, when: {} }], /when/],
  'a range that is none': [[{ ...entry, when: { kernel: '<<6' } }], /kernel/],
  'a condition of no scenario': [[{ ...entry, showsOnlyIf: 'it rains' }], /showsOnlyIf/],
  'a day that there is not': [[{ ...entry, expires: '2026-13-45' }], /expires/],
  'two entries for one scenario': [[entry, entry], /mine\.json:1.*mine\.json:1|two deviations/],
  'a rule of the prototype': [[{ ...entry, rule: '__proto__' }], /__proto__/],
};

/** Lists that are wrong as a whole. */
const wrong: Readonly<Record<string, readonly [unknown, RegExp]>> = {
  ...Object.fromEntries(Object.entries(wrongEntries).map(([name, [entries, line]]) => [name, [listOf(entries), line]])),
  'a number': [7, /mine\.json/],
  'a list of version 1': [[{ ...entry, symptom: 'observed 1' }], /mine\.json:1.*version 1.*"schemaVersion": 2/],
  'an empty list of version 1': [[], /mine\.json:1.*version 1/],
  'a list of the future': [{ schemaVersion: 3, deviations: [] }, /schemaVersion/],
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

function listWith(change: Partial<Deviation>): string {
  return JSON.stringify(listOf([{ ...entry, ...change }]));
}

/** Patterns that a matcher which tries all ways would look at for longer than anybody lives. */
const manyWildcards = `${'*a'.repeat(10_000)}b`;
const manyChoices = Array.from({ length: 10 }).reduce<Data>((inner) => ({ anyOf: [inner, inner] }), 'no value');

/** Lists of known deviations, which come with the changes of others. */
export const deviations: Area = {
  area: 'deviations',
  tries: [
    ...Object.entries(wrong).map(tryWrong),
    tryLawful('a symptom of many wildcards', listWith({ symptom: { subject: manyWildcards } }), { code: 1 }),
    tryLawful(
      'a symptom of many choices',
      listWith({ symptom: { subject: '*', observed: manyChoices } }),
      { code: [1, 2] },
      { quick: true },
    ),
    tryLawful('a symptom of the prototype', listWith({ symptom: { subject: '*', observed: { toString: '*' } } }), {
      code: 1,
    }),
    tryLawful('a byte order mark', `\ufeff${listWith({})}`, works, { quick: true }),
    tryLawful('an empty list', JSON.stringify(listOf([])), { code: 1 }),
    tryLawful('an entry past its last day', listWith({ expires: '2001-01-01' }), { code: 1 }),
    tryLawful(
      'hostile text',
      listWith({ reason: 'evil\u001b[31m\u202e\n::add-mask::x ##[error]y', owner: 'evil\u0007' }),
      works,
    ),
    tryLawful('a reason of 20 MB', listWith({ reason: 'x'.repeat(20_000_000) }), { code: [0, 2] }),
    tryLawful('a prototype', listWith({}).replace('"rule":', '"__proto__": {"rule": "x"}, "rule":'), { code: [0, 2] }),
    tryLawful('comments', '// mine\n[]', usage(/mine\.json/)),
    tryLawful('a hundred thousand entries', JSON.stringify(listOf(Array<object>(100_000).fill(entry))), {
      code: [2, 3],
    }),
    {
      name: 'the same list twice',
      args: ['run', overrunRule, '--deviations', 'mine.json', '--deviations', 'mine.json'],
      prepare: (scratch) => {
        scratch.write('mine.json', listWith({}));
      },
      expect: usage(/mine\.json/),
    },
    {
      name: 'many lists',
      args: ['run', rule, ...Array.from({ length: 500 }, () => ['--deviations', 'empty.json']).flat()],
      prepare: (scratch) => {
        scratch.write('empty.json', JSON.stringify(listOf([])));
      },
      expect: works,
      changes: ['out'],
    },
  ],
};
