import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { describeThreads, parseThreads, readThreads } from './threads';

/** As head(1) prints the files of a process 7 with two threads. */
const told = `==> 7/comm <==
node

==> 8/comm <==
verb

==> 9/comm <==
node

==> 7/stat <==
7 (no) de) S 1 7 7 0 -1
==> 8/stat <==
8 (verb) D 1 7 7 0 -1
==> 9/stat <==
9 (node) S 1 7 7 0 -1
==> 7/syscall <==
34 0x0 0x0 0x0

==> 8/syscall <==
running
==> 8/wchan <==
rxe_wait
==> 7/stack <==
[<0>] __do_sys_pause+0x1a/0x20
[<0>] do_syscall_64+0x5d/0xb0
[<0>] entry_SYSCALL_64_after_hwframe+0x6e/0xd8
[<0>] more+0x1/0x2
`;

describe('the threads of a process', () => {
  it('are described in a line: the main thread, and those inside verbs', () => {
    assert.equal(
      describeThreads(7, parseThreads(told)),
      'main thread: state S, in system call 34, at __do_sys_pause < do_syscall_64 < entry_SYSCALL_64_after_hwframe; ' +
        'thread 8 in a verb: state D, at rxe_wait',
    );
  });

  it('are left out where nothing is known of them', () => {
    assert.equal(describeThreads(7, parseThreads('')), '');
    assert.equal(describeThreads(7, parseThreads('head: */comm: No such file or directory')), '');
  });

  it('of this machine are read', async () => {
    const child = spawn('sleep', ['600']);
    try {
      await once(child, 'spawn');
      assert.match(describeThreads(child.pid ?? 0, readThreads(child.pid ?? 0)), /^main thread: state [A-Z]/);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('of a process that is gone are nothing', () => {
    assert.equal(describeThreads(2 ** 22 + 1, readThreads(2 ** 22 + 1)), '');
  });
});
