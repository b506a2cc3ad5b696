import assert from 'node:assert/strict';
import { join } from 'node:path';
import { deviation, listOf } from '../../../reports/fixtures/deviation';
import { root } from '../../../cli/common/project';
import { driver, exactly, overrunRule, rule, silentOverrun, usage, works } from '../expect';
import type { Area, Ended, Try } from '../try';

const hostileDriver = ['--driver', join(__dirname, '..', 'fixtures', 'hostile-driver.ts')];

/** A place in the source with the folder of the project, which often is a user's home. */
const stackInProject = new RegExp(`${exactly(root).source}/[^\\s"]+:\\d+:\\d+`);

/** Says that none of these is in anything that the command has written. */
function hides(...secrets: readonly RegExp[]): (ended: Ended) => void {
  return ({ scratch, stdout, stderr }) => {
    for (const text of [stdout, stderr, ...scratch.texts('out')]) {
      for (const secret of secrets) assert.doesNotMatch(text, secret, `${String(secret)} is shown`);
    }
  };
}

/** Spellings of what identifies a device, a port, a peer or a machine. */
const spellings: Readonly<Record<string, string>> = {
  'a GUID with colons': '0002:c903:00a1:b2c3',
  'a GUID as %llx writes it': '0x2c90300a1b2c3',
  'a GUID without leading zeros': '2c9:300:a1:b2c3',
  'the GUID of a peer': '0xe41d2d0300112233',
  'a MAC': 'e4:1d:2d:11:22:33',
  'a MAC with dashes': 'e4-1d-2d-11-22-33',
  'an IPv4 address': '10.11.12.13',
  'an IPv6 address': 'fe80::e61d:2dff:fe11:2233',
  'an IPv4 address in IPv6': '::ffff:10.11.12.13',
  'a GID': 'fe80:0000:0000:0000:e61d:2dff:fe11:2233',
};

function trySpelling([name, secret]: readonly [string, string]): Try {
  return {
    name: `${name} in the kernel log`,
    args: ['run', rule, '--redact', ...hostileDriver],
    env: {
      VERBSPEC_HOSTILE: 'has a kernel log of addresses',
      VERBSPEC_SECRETS: `[    1.000000] infiniband mlx5_0: peer ${secret} is up, guid ${secret}`,
    },
    expect: works,
    changes: ['out'],
    afterwards: hides(new RegExp(secret.replace(/[.]/g, '\\.'), 'i')),
  };
}

const ownReports: readonly (readonly string[])[] = [
  ['--format', 'json:{here}/leak'],
  ['--format=json:{here}/leak'],
  ['-f', 'html'],
  ['-fmessage:{here}/leak'],
  ['-fjson:{here}/leak'],
  ['--publish'],
];

const listed = deviation({
  rule: overrunRule,
  when: { provider: 'sim' },
  reason: 'seen by alice on lab-node-17, port 0x0002c90300a1b2c3, ticket SECRET-4711',
});

const usual: Pick<Try, 'expect' | 'changes'> = { expect: works, changes: ['out'] };

/** `--redact` hides what identifies a machine or its user, in all that is written. */
export const redaction: Area = {
  area: 'redaction',
  tries: [
    ...Object.entries(spellings).map(trySpelling),
    ...ownReports.map((options, index): Try => ({
      name: `Cucumber's own ${options.join(' ')}`,
      args: ['run', rule, '--redact', '--', ...options],
      expect: usage(/redact/),
      changes: [],
      quick: index === 3,
    })),
    {
      ...usual,
      name: 'the name of the device on stderr',
      args: ['run', rule, '--redact', ...driver('addressed-driver')],
      afterwards: hides(/5a5400fffe12dd55/, /192\.168\.77/),
      quick: true,
    },
    {
      ...usual,
      name: 'the name of a device with a GUID of leading zeros',
      args: ['run', rule, '--redact', ...hostileDriver],
      env: { VERBSPEC_HOSTILE: 'has a secret name' },
      afterwards: hides(/5a5400fffe12dd55/, /c903:00a1/),
    },
    {
      ...usual,
      name: 'what a list of deviations says, and where it lies',
      args: ['run', overrunRule, ...silentOverrun, '--redact', '--deviations', '{here}/alice/mine.json'],
      prepare: (scratch) => {
        scratch.json('alice/mine.json', listOf([listed]));
      },
      afterwards: hides(/0002c90300a1b2c3/, /alice\/mine/),
    },
    {
      ...usual,
      name: 'variables of CI with tokens and names of hosts',
      args: ['run', rule, '--redact'],
      env: {
        JENKINS_URL: 'https://ci.lab.corp/',
        BUILD_URL: 'https://ci.lab.corp/job/x/1/',
        BUILD_NUMBER: '1',
        JOB_NAME: 'x',
        GIT_URL: 'https://user:tokenSECRET@git.lab.corp/x.git',
        GIT_COMMIT: 'abc',
        GIT_BRANCH: 'main',
      },
      afterwards: hides(/tokenSECRET/, /lab\.corp/),
    },
    {
      name: 'paths of the user in stack traces',
      args: ['run', rule, '--redact', ...hostileDriver],
      env: { VERBSPEC_HOSTILE: 'throws in a verb' },
      expect: { code: 3 },
      changes: ['out'],
      afterwards: hides(stackInProject),
    },
    {
      ...usual,
      name: 'words that are no name stay',
      args: ['run', rule, '--redact', ...hostileDriver],
      env: {
        VERBSPEC_HOSTILE: 'has a kernel log of addresses',
        VERBSPEC_SECRETS: '[   12.345678] expected 4096 got 0x10',
      },
      afterwards: ({ scratch }) => {
        assert.match(scratch.read('out/kernel.log'), /^\[ {3}12\.345678\] expected 4096 got 0x10$/m);
      },
    },
  ],
};
