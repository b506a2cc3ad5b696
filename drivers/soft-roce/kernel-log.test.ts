import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { causeOfPanic, KernelLog, printable } from './kernel-log';

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

describe('causeOfPanic', () => {
  const fatal = 'Kernel panic - not syncing: Fatal exception';

  it('is the panic where no oops led to it', () => {
    const panic = 'Kernel panic - not syncing: sysrq triggered crash';
    assert.equal(causeOfPanic(['BUG: sleeping function called', panic, 'Rebooting']), panic);
  });

  it('is the oops that the kernel did not survive', () => {
    const bug = 'BUG: kernel NULL pointer dereference, address: 0000000000000000';
    assert.equal(causeOfPanic([bug, '#PF: supervisor read', 'Oops: 0000 [#1]', 'RIP: 0010', fatal]), bug);
    assert.equal(causeOfPanic(['invalid', 'kernel BUG at rxe.c:1!', fatal]), 'kernel BUG at rxe.c:1!');
    assert.equal(causeOfPanic(['invalid opcode: 0000 [#1] SMP', fatal]), 'invalid opcode: 0000 [#1] SMP');
    assert.equal(causeOfPanic([fatal]), fatal);
  });

  it('is nothing while the kernel lives', () => {
    assert.equal(causeOfPanic(['BUG: sleeping function called']), undefined);
  });
});

describe('printable', () => {
  it('removes escape sequences and control characters', () => {
    assert.equal(printable('\x1bc\x1b[?7l\x1b[2J\x00a\tb\r\n\x1b[1;31mred\x1b[0m\x07'), 'a\tb\nred');
  });
});
