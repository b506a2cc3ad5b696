import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { hostileText, refused, rule, usage } from '../expect';
import type { Area, Ended, Expectation, Try } from '../try';

type Row = readonly [options: readonly string[], expect: Expectation];

/** Where nothing is to be made, by root neither. */
const nowhere = '/nonexistent-of-verbspec';

/** Options after `--`, which go to Cucumber. */
const options: Readonly<Record<string, Row>> = {
  'no such option': [['--bogus'], { code: 2, line: /bogus/, messagesMax: 2 }],
  'hostile option': [[`--${hostileText}`], { code: 2, line: /evil/, messagesMax: 2 }],
  help: [['--help'], { code: [0, 2] }],
  'parallel scenarios': [['--parallel', '2'], usage(/parallel/)],
  'scenarios in less than no processes': [['--parallel', '-1'], usage(/parallel|Cucumber/)],
  'a format that there is not': [['--format', 'nope'], refused(/nope/)],
  'a format at a path that is not there': [['--format', `${nowhere}/x`], refused(/nonexistent/)],
  'a report where there is no folder': [['--format', `json:${nowhere}/x.json`], refused(/nonexistent/)],
  'a report on a full disk': [['--format', 'json:/dev/full'], { code: 3, line: /ENOSPC/, messagesMax: 3 }],
  'a report in /proc': [['--format', 'json:/proc/a/b.json'], refused(/proc/)],
  'a format that throws': [['--format', './throws.js'], refused(/throws|cable/)],
  'code that throws': [['--require', '{here}/throws.js'], refused(/throws|cable/)],
  'code that ends the process': [['--require', '{here}/ends.js'], { code: 3 }],
  'a module that is not there': [['--require-module', 'no-such-module'], refused(/no-such-module/)],
  'an import that throws': [['--import', '{here}/throws.mjs'], refused(/throws|cable/)],
  'no scenario at all': [['--tags', '@none'], { code: 3, line: /no scenario/ }],
  'no name at all': [['--name', 'nope'], { code: 3, line: /no scenario/ }],
  'tags that are none': [['--tags', '(@a'], refused(/tag|@a/i)],
  'a dry run': [['--dry-run'], { code: [2, 3] }],
  'an order that there is not': [['--order', 'nope'], usage(/nope|order/)],
  'a shard that there is not': [['--shard', '5/2'], refused(/shard|5\/2|no scenario/)],
  'a shard that is none': [['--shard', 'x'], refused(/shard|no scenario/)],
  'a language that there is not': [['--language', 'xx'], refused(/xx|language/)],
  'parameters that are cut off': [['--world-parameters', '{'], refused(/world|JSON|Cucumber/i)],
  'parameters of null': [['--world-parameters', 'null'], { code: [0, 2, 3] }],
  'a number of retries that is none': [['--retry', 'x'], refused(/retry|Cucumber/i)],
  'a profile that is not there': [['--profile', 'nope'], { code: [0, 2], line: /nope/ }],
  'a configuration that is not there': [['--config', 'nope.json'], { code: [0, 2, 3] }],
  'a feature that is not there': [['features/nope.feature'], { code: [0, 2], line: /nope/ }],
  'a feature of the system': [['/etc/passwd'], { code: [0, 2, 3], line: /passwd/ }],
  'the end of the process when it ends': [['--exit'], { code: 0 }],
  'a failing step that stops all': [['--fail-fast'], { code: 0 }],
};

function tryOptions([name, [given, expect]]: readonly [string, Row], index: number): Try {
  return {
    name,
    args: ['run', rule, '--', ...given],
    prepare: (scratch) => {
      scratch.write('throws.js', "throw new Error('the cable is out');");
      scratch.write('throws.mjs', "throw new Error('the cable is out');");
      scratch.write('ends.js', 'process.exit(0);');
    },
    expect,
    changes: ['out', 'out.*'],
    afterwards: given.some((word) => word.includes(nowhere)) ? makesNothing : hidesNothing,
    quick: index === 0 || name === 'parallel scenarios' || name === 'code that ends the process',
  };
}

function makesNothing(ended: Ended): void {
  hidesNothing(ended);
  const isMade = existsSync(nowhere);
  rmSync(nowhere, { recursive: true, force: true });
  assert.ok(!isMade, `${nowhere} was made`);
}

function hidesNothing({ scratch }: Ended): void {
  const hidden = scratch.names().filter((file) => file.startsWith('.'));
  assert.deepEqual(hidden, [], `hidden results: ${hidden.join(', ')}`);
}

/** Options that go to Cucumber. */
export const cucumber: Area = { area: 'cucumber', tries: Object.entries(options).map(tryOptions) };
