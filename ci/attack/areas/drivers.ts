import assert from 'node:assert/strict';
import { join } from 'node:path';
import { broken, refused, rule, usage, works } from '../expect';
import type { Area, Ended, Expectation, Try } from '../try';

const hostileDriver = join(__dirname, '..', 'fixtures', 'hostile-driver.ts');

/** What the driver does, and what has to come of it; nothing that it does is a violation unless a verb was wrong. */
const acts: Readonly<Record<string, Expectation>> = {
  'never settles': broken(/driver/),
  'ends the process': broken(/driver|ended/),
  'ends the process with the code of a violation': broken(/driver|ended/),
  throws: broken(/the cable is out/),
  'throws a string': broken(/the cable is out/),
  'throws undefined': broken(/driver/),
  'rejects with a string': broken(/the cable is out/),
  'rejects with hostile text': broken(/evil/),
  'returns nothing': refused(/hostile-driver/),
  'returns null': refused(/hostile-driver/),
  'returns an empty object': refused(/hostile-driver/),
  'throws in a timer': broken(/the cable is out/),
  'rejects where nobody looks': broken(/the cable is out/),
  'throws in a verb': { code: 3, line: /evil/, on: 'stdout' },
  'throws a string in a verb': { code: 3, line: /the cable is out/, on: 'stdout' },
  'never settles in a verb': { code: 1, line: /hang/, on: 'stdout' }, // which is a verdict
  'ends the process in a verb': { code: 3, line: /process\.exit\(0\) was called/, on: 'stdout' },
  'throws in a timer in a verb': { code: 3 },
  'never settles at its end': { code: 3 },
  'ends the process at its end': { code: 3 },
  'throws at its end': { code: 3 },
  'throws in its kernel log': { code: 3 },
  'has a hostile kernel log': works,
  'has a kernel log without an end': works,
  'has a hostile name': works,
  'has a very long name': works,
  'goes to another folder': works,
};

function tryAct([act, expect]: readonly [string, Expectation], index: number): Try {
  return {
    name: `a driver that ${act}`,
    args: ['run', rule, '--driver', hostileDriver],
    env: { VERBSPEC_HOSTILE: act },
    expect,
    changes: ['out', 'out.*'],
    memoryMaxMiB: 1500,
    ...(expect === works && { afterwards: hasResults }),
    quick: index < 2 || act === 'throws a string',
  };
}

function hasResults({ scratch }: Ended): void {
  assert.ok(scratch.has('out/verdicts.json'), 'there are no results');
}

/** Modules that are no driver at all. */
const modules: Readonly<Record<string, readonly [string, Expectation]>> = {
  'throws when it is loaded': ["throw new Error('the cable is out');", refused(/the cable is out/)],
  'throws hostile text when it is loaded': ["throw new Error('evil\\u001b[31m\\n::add-mask::x');", refused(/evil/)],
  'ends the process when it is loaded': ['process.exit(0);', broken(/given\.js|ended/)],
  'exports nothing': ['', usage(/createDriver/)],
  'exports null': ['module.exports = null;', usage(/createDriver/)],
  'exports a string': ["exports.createDriver = 'sim';", usage(/createDriver/)],
  'has a getter that throws': [
    "Object.defineProperty(exports, 'createDriver', { get() { throw new Error('the cable is out'); } });",
    refused(/given\.js|the cable is out/),
  ],
  'is not JavaScript': ['<html>', refused(/given\.js/)],
  'needs what is not installed': ["require('no-such-module');", refused(/no-such-module/)],
};

function tryModule([what, [source, expect]]: readonly [string, readonly [string, Expectation]]): Try {
  return {
    name: `a module that ${what}`,
    args: ['run', rule, '--driver', './given.js'],
    prepare: (scratch) => {
      scratch.write('given.js', source);
    },
    expect,
    changes: ['out.*'],
    quick: what.startsWith('ends'),
  };
}

const faultModules: Readonly<Record<string, readonly [string, Expectation]>> = {
  'throws when it is loaded': ["throw new Error('the cable is out');", refused(/the cable is out/)],
  'ends the process when it is loaded': ['process.exit(0);', broken(/given\.js|ended/)],
  'exports nothing': ['', usage(/faults/)],
  'exports null': ['exports.faults = null;', refused(/faults/)],
  'exports a list': ['exports.faults = [];', refused(/faults/)],
  'has a fault of null': ['exports.faults = { mine: null };', refused(/mine/)],
  'has a fault without rules': ['exports.faults = { mine: {} };', refused(/mine/)],
};

function tryFaults([what, [source, expect]]: readonly [string, readonly [string, Expectation]]): Try {
  return {
    name: `a module of faults that ${what}`,
    args: ['prove', rule, '--jobs', '1', '--faults', './given.js'],
    prepare: (scratch) => {
      scratch.write('given.js', source);
    },
    expect,
    maxMs: 120_000,
    quick: what === 'exports nothing',
  };
}

/** Paths of modules that cannot be read as such. */
const paths: readonly Try[] = ['run --driver', 'prove --faults'].flatMap((line): Try[] => {
  const [command = '', flag = ''] = line.split(' ');
  const args = [command, rule, flag, './given'];
  return [
    {
      name: `${line}: a FIFO`,
      args,
      prepare: (scratch) => {
        scratch.fifo('given');
      },
      expect: refused(/given/),
    },
    {
      name: `${line}: a folder`,
      args,
      prepare: (scratch) => {
        scratch.folder('given');
      },
      expect: refused(/given/),
    },
    { name: `${line}: /dev/zero`, args: [command, rule, flag, '/dev/zero'], expect: refused(/zero/), maxMs: 20_000 },
    {
      name: `${line}: a link to itself`,
      args,
      prepare: (scratch) => {
        scratch.link('given', 'given');
      },
      expect: refused(/given/),
    },
  ];
});

/** Drivers and modules of the user's that lie, die or fall silent. */
export const drivers: Area = {
  area: 'drivers',
  tries: [
    ...Object.entries(acts).map(tryAct),
    ...Object.entries(modules).map(tryModule),
    ...Object.entries(faultModules).map(tryFaults),
    ...paths,
  ],
};
