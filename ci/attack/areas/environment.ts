import { refused, rule, works } from '../expect';
import type { Area, Expectation, Try } from '../try';

const run = ['run', rule];
const inVm = [...run, '--driver', 'soft-roce', '--kernel', '6.1'];

type Row = readonly [args: readonly string[], env: Readonly<Record<string, string | undefined>>, expect: Expectation];

/** Variables that are missing or say what nobody expects. */
const variables: Readonly<Record<string, Row>> = {
  'no HOME': [run, { HOME: undefined }, works],
  'an empty HOME': [run, { HOME: '' }, works],
  'a HOME that is relative': [run, { HOME: 'home' }, works],
  'a HOME that is not there': [run, { HOME: '/nonexistent/home' }, works],
  'a HOME in /proc': [run, { HOME: '/proc/home', XDG_CACHE_HOME: undefined }, { code: [0, 3] }],
  'no TMPDIR': [run, { TMPDIR: '/nonexistent/tmp' }, { code: [0, 3], line: /nonexistent/ }],
  'a TMPDIR that is a file': [run, { TMPDIR: '/etc/passwd' }, { code: [0, 3], line: /passwd/ }],
  'a TMPDIR in /proc': [run, { TMPDIR: '/proc' }, { code: [0, 3], line: /proc/ }],
  'a TMPDIR that is relative': [run, { TMPDIR: 'tmp' }, works],
  'a cache in /proc': [inVm, { XDG_CACHE_HOME: '/proc' }, refused(/\/proc/)],
  'a cache below a file': [inVm, { XDG_CACHE_HOME: '/etc/passwd/x' }, refused(/passwd/)],
  'a cache in /dev/null': [inVm, { XDG_CACHE_HOME: '/dev/null' }, refused(/\/dev\/null/)],
  'a JAVA_HOME without Java': [run, { JAVA_HOME: '/etc' }, { code: 0, line: /JAVA_HOME.*\/etc/, on: 'stdout' }],
  'an empty PATH': [run, { PATH: '', JAVA_HOME: '/nonexistent' }, works],
  'no git': [run, { PATH: '/nonexistent' }, works],
  'a terminal that there is not': [run, { TERM: 'evil\u001b[31m', COLUMNS: '-5', LINES: 'x' }, works],
  'a screen of no columns': [['compare', 'earlier', '--all'], { COLUMNS: '0' }, works],
  'a language that there is not': [run, { LANG: 'tr_TR.UTF-8', LC_ALL: 'xx_YY.nope' }, works],
  'a time zone that there is not': [run, { TZ: '../../etc/passwd' }, works],
  'no color': [run, { NO_COLOR: '1', TERM: 'xterm-256color' }, works],
  'a summary of GitHub on a full disk': [
    ['gate', 'earlier', '--github', '--selected', '--baseline', 'base.json'],
    { GITHUB_STEP_SUMMARY: '/dev/full' },
    { code: 3, line: /\/dev\/full/ },
  ],
  'a summary of GitHub in a folder': [
    ['gate', 'earlier', '--github', '--selected', '--baseline', 'base.json'],
    { GITHUB_STEP_SUMMARY: '/etc' },
    { code: 3, line: /\/etc/ },
  ],
  'hostile variables of CI': [
    run,
    {
      CI: '1',
      GITHUB_ACTIONS: 'true',
      GITHUB_SERVER_URL: 'javascript:alert(1)',
      GITHUB_REPOSITORY: 'evil\u001b[31m',
      GITHUB_RUN_ID: '::add-mask::x',
      GITHUB_RUN_NUMBER: 'NaN',
    },
    works,
  ],
  'a job of Jenkins': [
    run,
    { JENKINS_URL: 'evil\u0007', BUILD_NUMBER: '-1', BUILD_URL: 'x', JOB_NAME: '../../x' },
    works,
  ],
  'a configuration of ssh that is not there': [
    [...run, '--driver', 'hca', '-d', 'x', '--host', 'lab1.invalid'],
    { VERBSPEC_SSH_CONFIG: '/nonexistent/config' },
    { code: 3, line: /lab1\.invalid/ },
  ],
  'man pages in /proc': [['spec-book', '--check'], { MANPATH: '/proc:/dev/null:evil\u001b[31m' }, { code: [0, 1, 3] }],
  'no mandoc': [['spec-book'], { PATH: '/nonexistent' }, { code: [0, 3] }],
  'a mirror of Debian that is a file': [
    [...run, '--driver', 'soft-roce', '--kernel', '6.1'],
    { VERBSPEC_DEBIAN_MIRROR: 'file:///etc/passwd\u001b[31m', XDG_CACHE_HOME: '{here}/cache', PATH: '/nonexistent' },
    { code: 3, line: /kernel|mirror|debian|apt|qemu|dpkg/i, messagesMax: 2 },
  ],
};

function tryVariables([name, [args, env, expect]]: readonly [string, Row], index: number): Try {
  return {
    name,
    args,
    env,
    prepare: (scratch) => {
      scratch.run('earlier');
      scratch.baseline('base.json', 'earlier');
    },
    expect,
    changes: ['out', 'cache'],
    ...('PATH' in env && { under: `program=${JSON.stringify(process.execPath)}; shift; exec "$program" "$@"` }),
    quick: index % 9 === 0,
  };
}

/** Variables of the environment. */
export const environment: Area = { area: 'environment', tries: Object.entries(variables).map(tryVariables) };
