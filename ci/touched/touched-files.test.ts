import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { History, type CommitWithAdditions } from './history';
import { allowance, isTooMany, reportLines } from './judge';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-touched-'));
const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });

/** Writes files, `undefined` removes one, and commits them. */
function commit(subject: string, files: Readonly<Record<string, string | undefined>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (text === undefined) rmSync(join(folder, path));
    else writeFileSync(join(folder, path), text);
  }
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--message', subject);
}

const feature = (...rules: string[]): string =>
  `@ibv_milk\nFeature: ibv_milk(3)\n\n${rules.map((id) => `  @ibv_milk.${id} @needs.cow\n  Rule: ${id}\n`).join('\n')}`;
const path = 'features/cow/ibv_milk.feature';
const verbs = (more = '', members = 'legs: u32'): string =>
  `export const cow = struct('ibv_cow', { ${members}, tail: struct('ibv_tail', { length: u8 }) });
export const cowVerbs = { milk: verb({ c: 'ibv_milk', in: [{ cow }] }),${more} };\n`;

before(() => {
  git('init', '--quiet');
  commit('the beginning', { [path]: feature('fills'), 'drivers/verbs/cow.ts': verbs() });
  commit('clauses by page', { 'features/cow/ibv_milk.clauses.json': '[]' });
  commit('a rule', { [path]: feature('fills', 'kicks'), 'features/cow/ibv_milk.clauses.json': '[1]' });
  commit('words alone', { [path]: `${feature('fills', 'kicks')}\n` });
  commit('moved', { [path]: undefined, 'features/herd/ibv_milk.feature': feature('kicks', 'fills') });
  commit('a verb', { 'drivers/verbs/cow.ts': verbs(` feed: verb({ c: 'ibv_feed', in: [] })`) });
  commit('a member', {
    'drivers/verbs/cow.ts': verbs(` feed: verb({ c: 'ibv_feed', in: [] })`, 'legs: u32, horns: u8'),
    'native/src/cow.cc': 'x',
    'steps/cow.ts': 'x',
  });
});

after(() => {
  rmSync(folder, { recursive: true });
});

const additions = (range: string): CommitWithAdditions[] => new History(folder).additions(range);

describe('the files that additions touch', () => {
  it('are counted for the commits that add something, by what they add', () => {
    const told = additions('HEAD').map(({ subject, files, added }) => [subject, files.length, added]);
    const none = { rule: [], verb: [], member: [] };
    assert.deepEqual(told, [
      ['a member', 3, { ...none, member: ['ibv_cow.horns'] }],
      ['a verb', 1, { ...none, verb: ['ibv_feed'] }],
      ['a rule', 2, { ...none, rule: ['ibv_milk.kicks'] }],
      [
        'the beginning',
        2,
        { rule: ['ibv_milk.fills'], verb: ['ibv_milk'], member: ['ibv_cow.legs', 'ibv_cow.tail', 'ibv_tail.length'] },
      ],
    ]);
  });

  it('are too many for a member at three', () => {
    const [member, verb, rule, beginning] = additions('HEAD');
    assert.ok(member && verb && rule && beginning);
    assert.deepEqual([member, verb, rule, beginning].map(allowance), [2, 6, 4, 16]);
    assert.deepEqual([member, verb, rule, beginning].map(isTooMany), [true, false, false, false]);
    assert.match(
      reportLines(member).join('\n'),
      /^TOO MANY {2}\w{7} {2}3 files of 2 {2}1 member \(ibv_cow\.horns\)[^]*steps\/cow\.ts$/,
    );
    assert.match(reportLines(beginning).join('\n'), /3 members \(ibv_cow\.legs and 2 more\)/);
  });

  it('begin with the commit since which clauses lie page by page', () => {
    const first = new History(folder).firstByPage() ?? '';
    assert.equal(additions(`${first}..HEAD`).length, 3);
  });
});
