import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KernelLog, printable } from './kernel-log';

describe('KernelLog', () => {
  it('gives whole lines, each once', () => {
    const log = new KernelLog();
    log.add('[ 1.0] one\r\n[ 2.0] tw');
    assert.equal(log.takeNew(), '[ 1.0] one\n');
    assert.equal(log.takeNew(), '');
    log.add('o\r\n');
    assert.equal(log.takeNew(), '[ 2.0] two\n');
  });

  it('tells the lines of one kernel from those of the one before', () => {
    const log = new KernelLog();
    log.add('old\n');
    const start = log.length;
    log.add('new\n');
    assert.deepEqual(log.lines(start), ['new']);
    assert.deepEqual(log.lines(), ['old', 'new']);
  });
});

describe('printable', () => {
  it('removes escape sequences and control characters', () => {
    assert.equal(printable('\x1bc\x1b[?7l\x1b[2J\x00a\tb\r\n\x1b[1;31mred\x1b[0m\x07'), 'a\tb\nred');
  });
});
