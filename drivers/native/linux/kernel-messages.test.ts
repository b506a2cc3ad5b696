import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { KernelMessages, messageOf } from './kernel-messages';

describe('the messages of the kernel', () => {
  it('are reported as dmesg does, without the lines about their device', () => {
    const record = '4,1234,5678901234,-;WARNING: CPU: 0 PID: 7 at x.c:1; more\n SUBSYSTEM=net\n DEVICE=n2\n';
    assert.equal(messageOf(record), '[ 5678.901234] WARNING: CPU: 0 PID: 7 at x.c:1; more');
  });

  it('are those that came since the last look', () => {
    const folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));
    const path = join(folder, 'kmsg');
    execFileSync('mkfifo', [path]);
    const kernel = openSync(path, constants.O_RDWR);
    try {
      writeSync(kernel, '6,1,1000000,-;before\n');
      const messages = new KernelMessages(path);
      assert.equal(messages.takeNew(), '');
      writeSync(kernel, '4,2,2000000,-;after\n');
      assert.equal(messages.takeNew(), '[    2.000000] after\n');
      assert.equal(messages.takeNew(), '');
      messages.close();
    } finally {
      closeSync(kernel);
      rmSync(folder, { recursive: true });
    }
  });

  it('are none where they cannot be read', () => {
    const messages = new KernelMessages('/nonexistent/kmsg');
    assert.equal(messages.takeNew(), '');
    messages.close();
  });
});
