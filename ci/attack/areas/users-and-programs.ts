import assert from 'node:assert/strict';
import { refused, rule, usage, works } from '../expect';
import type { Area } from '../try';

const run = ['run', rule];
const inVm = [...run, '--driver', 'soft-roce', '--kernel', '6.1'];

/** What surrounds the command: folders to stand in, users to be, clocks and other programs. */
export const usersAndPrograms: Area = {
  area: 'users-and-programs',
  tries: [
    {
      name: 'a working folder that is gone',
      args: run,
      under: 'mkdir gone && cd gone && rmdir ../gone && exec "$@"',
      expect: refused(/folder|directory|cwd/),
      changes: [],
    },
    { name: 'a user without rights', args: run, as: 'nobody', expect: works, changes: ['out'], quick: true },
    {
      name: 'a user without rights and without HOME',
      args: run,
      as: 'nobody',
      env: { HOME: undefined, XDG_CACHE_HOME: undefined },
      expect: { code: [0, 3], line: /HOME|home/ },
    },
    {
      name: 'a user without rights and with the HOME of another',
      args: run,
      as: 'nobody',
      env: { HOME: '/root', XDG_CACHE_HOME: undefined },
      expect: works,
    },
    {
      name: "a user without rights, with root's cache",
      args: run,
      as: 'nobody',
      env: { XDG_CACHE_HOME: '/root/.cache' },
      expect: works,
    },
    { name: 'a user without rights looks around', args: ['doctor'], as: 'nobody', expect: { code: [0, 3] } },
    {
      name: 'a user without rights makes a VM without a cache',
      args: inVm,
      as: 'nobody',
      env: { XDG_CACHE_HOME: '/etc' },
      expect: refused(/\/etc/),
    },
    {
      name: 'a clock that is set forward by an hour',
      args: run,
      prepare: (scratch) => {
        scratch.write(
          'clock.js',
          'const now = Date.now; const at = now(); Date.now = () => now() + (now() - at > 300 ? 3600000 : 0);',
        );
      },
      env: { NODE_OPTIONS: '--require {here}/clock.js' },
      expect: works,
      changes: ['out'],
      afterwards: ({ scratch }) => {
        const { durationMs } = JSON.parse(scratch.read('out/verdicts.json')) as { durationMs: number };
        assert.ok(durationMs < 600_000, `the run took ${durationMs} ms`);
      },
    },
    {
      name: 'Java that fails',
      args: run,
      prepare: (scratch) => {
        scratch.program(
          'jdk/bin/java',
          'echo "Exception in thread main" >&2; printf "\\tat evil.Main.main(Main.java:7)\\n" >&2; exit 1',
        );
      },
      env: { JAVA_HOME: '{here}/jdk' },
      expect: { code: 3 },
      changes: ['out'],
    },
    {
      name: 'Java that says hostile text',
      args: run,
      prepare: (scratch) => {
        scratch.program('jdk/bin/java', 'printf "evil\\033[31m\\n::add-mask::x\\n" >&2; exit 1');
      },
      env: { JAVA_HOME: '{here}/jdk' },
      expect: { code: 3 },
      changes: ['out'],
    },
    {
      name: 'Java that floods',
      args: run,
      prepare: (scratch) => {
        scratch.program('jdk/bin/java', 'head -c 1200M /dev/zero >&2; exit 1');
      },
      env: { JAVA_HOME: '{here}/jdk' },
      expect: { code: 3 },
      changes: ['out'],
      memoryMaxMiB: 800,
    },
    {
      name: 'SIGINT while a VM boots',
      args: inVm,
      needs: ['vm'],
      env: { XDG_CACHE_HOME: undefined, HOME: process.env.HOME },
      signals: [{ after: /boot/, signal: 'SIGINT' }],
      expect: { code: 130 },
      changes: [],
      maxMs: 300_000,
    },
    {
      name: 'a library that is none',
      args: [...inVm, '--rdma-core', 'empty'],
      prepare: (scratch) => {
        scratch.folder('empty');
      },
      expect: usage(/empty/),
    },
    {
      name: 'a module that is not a module',
      args: [...inVm, '--module', 'x.ko'],
      prepare: (scratch) => {
        scratch.write('x.ko', '\u007fELF');
      },
      expect: usage(/x\.ko/),
    },
  ],
};
