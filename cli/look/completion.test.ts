import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { commandLine } from '../command-line';
import { completionScript } from './completion-script';
import { completionWords } from './completion-words';

const program = commandLine([], () => undefined);
const words = completionWords(program);
const script = completionScript('bash', words);

/** What bash offers for the last of these words. */
function completed(...line: readonly string[]): string[] {
  const set = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _verbspec; printf "%s\\n" "${COMPREPLY[@]}"';
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-uc', `${script}\n${set}`, 'bash', ...line], {
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  assert.equal(status, 0);
  return stdout.split('\n').filter(Boolean);
}

describe('bash completes', () => {
  const rule = 'ibv_req_notify_cq.one-shot';
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['commands', ['verbspec', 'dev'], ['devices']],
    ['after npx', ['npx', 'verbspec', 'dev'], ['devices']],
    ['by the path of npx', ['/usr/bin/npx', 'verbspec', 'gate', '--jun'], ['--junit']],
    ['options', ['verbspec', 'run', '--dri'], ['--driver']],
    ['drivers', ['verbspec', 'run', '--driver', ''], ['sim', 'soft-roce', 'hca']],
    ['a value after an equals sign', ['verbspec', 'run', '--driver', '=', 'so'], ['soft-roce']],
    ['nothing before an equals sign', ['verbspec', 'run', '--vm-time', '='], ['virtual', 'wall']],
    ['faults', ['verbspec', 'run', '--fault', 'event-doub'], ['event-doubled']],
    ['profiles', ['verbspec', 'run', '--profile', 'connect'], ['connectx']],
    ['variants after others', ['verbspec', 'run', '--variant', 'x,without-sr'], ['x,without-srq']],
    ['authorities', ['verbspec', 'rules', '--authority', 'page,po'], ['page,posix']],
    ['choices', ['verbspec', 'compare', '--by', 'fir'], ['firmware']],
    ['rules', ['verbspec', 'show', 'ibv_req_notify_cq.one-s'], [rule]],
    [
      'rules after other arguments',
      ['verbspec', 'run', '--redact', 'ibv_modify_cq', 'ibv_req_notify_cq.one-s'],
      [rule],
    ],
    ['drivers as arguments', ['verbspec', 'doctor', 'h'], ['hca']],
    ['shells', ['verbspec', 'completion', 'z'], ['zsh']],
    ['commands to explain', ['verbspec', 'help', 'dev'], ['devices']],
    ['files by itself', ['verbspec', 'gate', '--baseline', ''], []],
    ['files of runs by itself', ['verbspec', 'compare', 'rep'], []],
    ['nothing for other programs of npx', ['npx', 'eslint', '--'], []],
    ['nothing for a command that there is not', ['verbspec', 'nosuch', '--'], []],
  ];
  for (const [what, line, expected] of cases) {
    it(what, () => {
      assert.deepEqual(completed(...line), expected);
    });
  }

  it('pages', () => {
    assert.ok(completed('verbspec', 'run', 'ibv_poll').includes('ibv_poll_cq'));
  });
});

describe('a script', () => {
  it('has each command and each option that is declared', () => {
    for (const command of program.commands) {
      const offered = completed('verbspec', command.name(), '-');
      for (const { long } of command.options)
        assert.ok(offered.includes(long ?? ''), `${command.name()} ${long ?? ''}`);
    }
  });

  it('has values for the options that say they take a name of ours', () => {
    const run = words.commands.find(({ name }) => name === 'run');
    for (const flag of ['--driver', '--fault', '--profile', '--variant', '--authority', '--vm-time'])
      assert.ok((run?.values.get(flag)?.words.length ?? 0) > 1, flag);
  });

  it('has words that need no quotes', () => {
    const all = [
      ...words.pages,
      ...words.rules,
      ...words.commands.flatMap((each) => [...each.values.values()]).flatMap((each) => each.words),
    ];
    for (const word of all) assert.match(word, /^[\w.-]+$/);
  });

  it('of zsh is that of bash, after what makes zsh run it', () => {
    const zsh = completionScript('zsh', words);
    assert.ok(zsh.endsWith(script));
    assert.match(zsh, /^autoload -Uz compinit bashcompinit\n.*compinit\nbashcompinit\n\n/);
    assert.doesNotMatch(script, /declare|mapfile|readarray|\$\{\w+(\^|,,)|shopt/, 'what zsh lacks');
  });
});
