import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { commandLine } from '../cli/command-line';
import { Attack } from './attack/attack';
import type { Ending } from './attack/command';
import { complaintsOf } from './attack/judge';
import { Scratch } from './attack/scratch';
import { changesBetween, snapshotOf } from './attack/snapshot';
import { allTries } from './attack/tries';
import type { ListedTry, Try } from './attack/try';
import { untried } from './attack/untried';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));

after(() => {
  rmSync(folder, { recursive: true });
});

const refusal: Try = { name: 'a word', args: ['run', 'nope'], expect: { code: 2, line: /"nope"/ } };
const refused: Ending = {
  code: 2,
  stdout: '',
  stderr: 'verbspec: there is no rule "nope"; `verbspec rules` lists them\n',
  durationMs: 1,
  left: [],
};

describe('the tries', () => {
  it('are many, each with a name of its own', () => {
    const names = allTries().map(({ area, name }) => `${area}: ${name}`);
    assert.ok(names.length >= 300, `${names.length} tries`);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });

  it('use every command and every option', () => {
    assert.deepEqual(untried(allTries()), []);
  });

  it('are missed for a new command and a new option', () => {
    const program = commandLine([], () => undefined);
    program.command('bench').option('--all');
    program.commands[0]?.option('--harder <n>');
    assert.deepEqual(untried(allTries(), program), [
      'no try of verbspec bench: add one to a table of ci/attack/areas',
      'no try of verbspec run --harder: add one to a table of ci/attack/areas',
      'no try of verbspec bench --all: add one to a table of ci/attack/areas',
      'verbspec run --harder has no kind: say in ci/attack/option-kinds.ts what it takes',
      'verbspec bench --all has no kind: say in ci/attack/option-kinds.ts what it takes',
    ]);
  });

  it('are missed where an option stands after --, which is for Cucumber', () => {
    const others = allTries().filter(({ args }) => !args.includes('--order'));
    const passedOn: Try = { name: 'passed on', args: ['run', '--', '--order', 'x'], expect: { code: 2 } };
    assert.match(untried([...others, passedOn]).join(), /no try of verbspec run --order/);
  });
});

describe('a try', () => {
  it('is good when it ends as its row says', () => {
    assert.deepEqual(complaintsOf(refusal, refused), []);
  });

  for (const [what, change, complaint] of [
    ['another exit code', { code: 3 }, 'exit code 3 in place of 2'],
    ['no end', { code: undefined, durationMs: 60_000 }, 'it did not end within 60 s'],
    ['another message', { stderr: 'verbspec: no\n' }, 'no line has /"nope"/'],
    ['a second message', { stderr: `${refused.stderr}verbspec: and so on\n` }, '2 messages in place of 1'],
    ['a stack trace', { stdout: '    at run (/x/run.ts:1:2)\n' }, 'a stack trace'],
    ['an error nobody expected', { stdout: 'verbspec: unexpected: x\n' }, 'an error that nobody expected'],
    ['an escape sequence', { stdout: '\u001b[31m' }, 'an escape sequence where no terminal is'],
    ['a change of direction', { stdout: '\u202e' }, 'a control of the direction of text'],
    ['a workflow command', { stdout: '  ::add-mask::x' }, 'a command to a GitHub workflow'],
    ['an old workflow command', { stdout: 'x ##[error]y' }, 'a command to a GitHub workflow'],
    ['a process that lives on', { left: ['node'] }, 'process node lives on'],
    ['too much memory', { tooManyMiB: 4000 }, 'it needed 4000 MiB'],
  ] as const) {
    it(`is bad with ${what}`, () => {
      assert.deepEqual(complaintsOf(refusal, { ...refused, ...change }), [complaint]);
    });
  }

  it('is bad when a file is new, gone or other, unless its row allows that', () => {
    const scratch = new Scratch(folder, folder);
    scratch.write('thesis.txt', 'precious');
    scratch.write('touched.txt', 'same');
    scratch.write('gone.txt', '');
    const before = snapshotOf(scratch);
    scratch.write('thesis.txt', 'spoilt!!');
    utimesSync(scratch.path('touched.txt'), 1, 1);
    rmSync(scratch.path('gone.txt'));
    scratch.write('out/verdicts.json', '');
    writeFileSync(join(scratch.temporary, 'cache'), '');
    writeFileSync(join(scratch.home, 'core'), '');
    const changes = changesBetween(before, snapshotOf(scratch), ['out']);
    assert.deepEqual(changes.sort(), [
      '$TMPDIR/cache was left behind',
      'gone.txt is gone',
      'thesis.txt is not as it was',
      'touched.txt is not as it was',
      '~/core was left behind',
    ]);
  });
});

describe('an attack', () => {
  const version: ListedTry = { area: 'one', name: 'the version', args: ['--version'], expect: { code: 0 } };

  it('makes its tries, and leaves nothing', async () => {
    const attack = new Attack();
    const told: string[] = [];
    let here = '';
    const looking: ListedTry = {
      ...version,
      name: 'a look',
      expect: { code: 1 },
      afterwards: ({ scratch }) => {
        ({ here } = scratch);
        throw new Error('I do not like it');
      },
    };
    const results = await attack.run([version, looking], 2, ({ name }) => told.push(name));
    attack.end();
    const complaints = results.map((result) => result.complaints);
    assert.deepEqual(complaints, [[], ['exit code 0 in place of 1', 'I do not like it']]);
    assert.deepEqual(told.sort(), ['a look', 'the version']);
    assert.ok(here !== '' && !existsSync(here));
  });
});
