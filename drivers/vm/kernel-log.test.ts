import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { complaintOf } from '../contract';
import { causeOfPanic, KernelLog } from './kernel-log';

/** A line of a thousand characters, the most that a kernel's have: a flood of such takes less time than one of short lines. */
const longLine = `[    1.000000] rdma_rxe:${' noise'.repeat(162)}\r\n`;

describe('KernelLog', () => {
  it('gives whole lines, each once', () => {
    const log = new KernelLog();
    log.add('[ 1.0] one\r\n[ 2.0] tw');
    assert.equal(log.takeNew(), '[ 1.0] one\n');
    assert.equal(log.takeNew(), '');
    log.add('o\r\n');
    assert.equal(log.takeNew(), '[ 2.0] two\n');
  });

  it('has the lines since they were taken, the unfinished last one included', () => {
    const log = new KernelLog();
    log.add('old\n');
    log.takeNew();
    log.add('new\nKernel pan');
    assert.deepEqual(log.lines(), ['new', 'Kernel pan']);
    assert.equal(log.takeNew(), 'new\n');
  });

  it('keeps little of a flood, and finds in it what matters', () => {
    const log = new KernelLog();
    const noise = '[    1.000000] rdma_rxe: noise noise noise noise\r\n'.repeat(200) + longLine.repeat(90);
    const floodOf = (megabytes: number): void => {
      for (let count = 0; count < megabytes * 10; count++) log.add(noise);
    };
    const before = process.memoryUsage().rss;
    for (let scenario = 0; scenario < 3; scenario++) {
      log.add('first\n');
      floodOf(70);
      log.add(`[    2.000000] WARNING: CPU: 0 PID: 7 at rxe_cq.c:${scenario}\n[    2.000001] Call Trace:\n`);
      floodOf(70);
      log.add('last\n');
      const text = log.takeNew();
      assert.ok(text.length < 600_000);
      assert.match(text, /^first\n\[ {4}1\.0/);
      assert.match(text, /\n\.\.\. \d+ lines \(\d+ MB\) left out \.\.\.\n/);
      assert.match(text, /noise\nlast\n$/);
      assert.equal(complaintOf(text), `WARNING: CPU: 0 PID: 7 at rxe_cq.c:${scenario}`);
    }
    assert.ok(process.memoryUsage().rss - before < 150 * 1024 * 1024);
  });

  it('takes less of each scenario once a run has taken much, and still finds what matters', () => {
    const log = new KernelLog();
    const noise = longLine.repeat(420);
    let taken = 0;
    for (let scenario = 0; scenario < 500; scenario++) {
      log.add(noise);
      if (scenario === 499) log.add('[    2.000000] BUG: sleeping function\n');
      log.add(noise);
      const text = log.takeNew();
      taken += text.length;
      assert.equal(complaintOf(text), scenario === 499 ? 'BUG: sleeping function' : undefined);
    }
    assert.ok(taken < 30_000_000, String(taken));
  });

  it('cuts a line without an end', () => {
    const log = new KernelLog();
    for (let count = 0; count < 10_000; count++) log.add('x'.repeat(65_536));
    log.add('\nnext\n');
    assert.deepEqual(log.lines(), ['x'.repeat(4096), 'next']);
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
