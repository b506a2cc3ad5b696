import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

// eslint-disable-next-line @typescript-eslint/no-require-imports -- plain JavaScript, which runs before there are packages
const { whatFailed } = require('./what-failed') as { whatFailed: (output: string) => readonly string[] };

const passing = Array.from({ length: 30 }, (_, index) => `  ✔ passes ${index}`);

describe('what the end of a log says of a failed step', () => {
  it('is what is marked, wherever it stands, once and without colours', () => {
    const output = [
      '▶ a panic',
      '✔ a panic is reported',
      '# drivers/alarms.test.ts',
      ...passing,
      '\x1b[31m  ✖ is refused (3 ms)\x1b[0m',
      ...passing,
      '  ✖ is refused (3 ms)',
      '',
    ];
    assert.deepEqual(whatFailed(output.join('\n')), ['✖ is refused (3 ms)']);
    assert.deepEqual(whatFailed('a\n  WRONG: late turns pass into fail\nb'), ['WRONG: late turns pass into fail']);
  });

  it('is the rules that a gate complains of', () => {
    const output = [
      '  did not pass: A known deviation',
      'exit 1: unexpected failures',
      'regression: IBV-CQ-POLL-001 was conforms, is violates',
      '  "A scenario": was pass, is fail',
      ...passing,
      'gate failed: 1 regression; the other 308 rules are as in ci/baselines/sim.json',
      'FAILED  sim (exit code 1)',
    ];
    assert.deepEqual(whatFailed(output.join('\n')), [
      'regression: IBV-CQ-POLL-001 was conforms, is violates',
      'gate failed: 1 regression; the other 308 rules are as in ci/baselines/sim.json',
      'FAILED  sim (exit code 1)',
    ]);
  });

  it('is the last lines where nothing is marked', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    assert.deepEqual(whatFailed(lines.join('\n')), lines.slice(-8));
  });

  it('is short', () => {
    const many = Array.from({ length: 30 }, (_, index) => `✖ ${index} ${'x'.repeat(500)}`);
    const shown = whatFailed(many.join('\n'));
    assert.equal(shown.length, 8);
    assert.ok(shown.every((line) => line.length === 221));
  });
});
