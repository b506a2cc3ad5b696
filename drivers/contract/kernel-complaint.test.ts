import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { complaintOf, complaintsIn } from './kernel-complaint';

const complaining = [
  'WARNING: CPU: 0 PID: 7 at drivers/infiniband/sw/rxe/rxe_cq.c:121 rxe_cq_post+0x1/0x2 [rdma_rxe]',
  'WARNING: possible circular locking dependency detected',
  'WARNING: suspicious RCU usage',
  'INFO: possible recursive locking detected',
  '[ INFO: possible circular locking dependency detected ]',
  'INFO: trying to register non-static key.',
  'BUG: unable to handle page fault for address: ffffc90000000000',
  'BUG: kernel NULL pointer dereference, address: 0000000000000008',
  'BUG: KASAN: slab-use-after-free in rxe_completer+0x1/0x2 [rdma_rxe]',
  'BUG: sleeping function called from invalid context at mm/slab.h:321',
  'BUG: scheduling while atomic: node/7/0x00000002',
  'BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0 nice=0 stuck for 30s!',
  'BUG kmalloc-64 (Not tainted): Poison overwritten',
  'kernel BUG at lib/list_debug.c:56!',
  'Oops: 0002 [#1] PREEMPT SMP NOPTI',
  'Oops: general protection fault, probably for non-canonical address 0xdead000000000100: 0000 [#1]',
  'Internal error: Oops: 0000000096000004 [#1] SMP',
  'general protection fault, probably for non-canonical address 0xdead000000000100: 0000 [#1]',
  'divide error: 0000 [#1] PREEMPT SMP',
  'Unable to handle kernel NULL pointer dereference at virtual address 0000000000000008',
  'INFO: task kworker/0:1:12 blocked for more than 120 seconds.',
  'INFO: task node:34 blocked in I/O wait for more than 120 seconds.',
  'rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:',
  'rcu: INFO: rcu_sched self-detected stall on CPU',
  'rcu: rcu_preempt kthread starved for 5250 jiffies!',
  'watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [node:34]',
  'watchdog: Watchdog detected hard LOCKUP on cpu 0',
  'UBSAN: array-index-out-of-bounds in drivers/infiniband/sw/rxe/rxe_req.c:1:2',
  'kmemleak: 3 new suspected memory leaks (see /sys/kernel/debug/kmemleak)',
  'refcount_t: underflow; use-after-free.',
  'list_add corruption. prev->next should be next (ffff8), but was ffff9.',
  'list_del corruption, ffff8->next is LIST_POISON1 (dead000000000100)',
  'ODEBUG: free active (active state 0) object type: timer_list',
  'unregister_netdevice: waiting for dummy0 to become free. Usage count = 2',
  'Kernel panic - not syncing: sysrq triggered crash',
];

const innocent = [
  'rdma_rxe: loaded',
  'rxe0: rxe_create_cq: WARN_ON(!cq) was not met',
  'infiniband rxe0: added dummy0',
  'CPU: 0 PID: 7 Comm: node Tainted: G        W          6.1.0-56-amd64 #1  Debian 6.1.192-2',
  'rdma_rxe: module verification failed: signature and/or required key missing - tainting kernel',
  'traps: node[12] general protection fault ip:55d0 sp:7ffc error:0 in node[400000+1000]',
  'node[12]: segfault at 0 ip 00007f sp 00007f error 4 in libibverbs.so.1[7f+1]',
  'systemd[1]: BUG: something of its own',
  'Spectre V2 : WARNING: Unprivileged eBPF is enabled with eIBRS on',
  'ACPI BIOS Warning (bug): 32/64X length mismatch',
  "[Firmware Bug]: TSC doesn't count with P0 frequency!",
  'rcu: Hierarchical SRCU implementation.',
  'rcu: \tRCU calculated value of scheduler-enlistment delay is 25 jiffies.',
  'watchdog: Delayed init of the lockup detector failed: -19',
  'kmemleak: Kernel memory leak detector initialized (mem pool available: 15796)',
  'DEBUG: a module in development',
  'sysrq: Trigger a crash',
  'list_add is fine',
  'INFO: lockdep is turned off.',
  '',
];

describe('a complaint of the kernel', () => {
  for (const line of complaining) {
    it(`is "${line}"`, () => {
      for (const stamp of ['', '[   12.345678] ', '[   12.345678][  T345] ', '[   12.345678][    C0] ']) {
        assert.equal(complaintOf(`[    1.000000] before\n${stamp}${line}\n`), line);
      }
    });
  }

  for (const line of innocent) {
    it(`is not "${line}"`, () => {
      for (const stamp of ['', '[   12.345678] ', '[   12.345678][  T345] ']) {
        assert.equal(complaintOf(`${stamp}${line}\n`), undefined);
      }
    });
  }

  it('comes with its report, whose lines are no complaints of their own', () => {
    const report = [
      'WARNING: CPU: 0 PID: 7 at x.c:1',
      'refcount_t: underflow; use-after-free.',
      '---[ end trace 0 ]---',
    ];
    const other = 'BUG: scheduling while atomic: node/7/0x00000002';
    const found = complaintsIn(['quiet', ...report, 'quiet', other].join('\n'));
    assert.deepEqual(found, [
      { line: report[0], report },
      { line: other, report: [other] },
    ]);
  });
});

/** The report of a warning, from a kernel where RDMA is loaded. */
function warningIn(frame: string): string {
  const loaded = 'Modules linked in: rdma_rxe ib_uverbs [last unloaded: mlx5_ib]';
  return ['WARNING: CPU: 0 PID: 7 at mm/page.c:1', loaded, 'Call Trace:', ` ${frame}`, '---[ end trace 0 ]---'].join(
    '\n',
  );
}

describe('a complaint of a kernel that others use too', () => {
  const told = 'WARNING: CPU: 0 PID: 7 at mm/page.c:1';

  for (const frame of [
    'rxe_post_recv+0x10/0x20 [rdma_rxe]',
    'uverbs_write+0x10/0x20 [ib_uverbs 0123456789abcdef0123456789abcdef01234567]',
    'qp_create+0x10/0x20 [mlx5_ib]',
    'qp_create+0x10/0x20 [bnxt_re]',
    'ib_destroy_cq_user+0x10/0x20',
    'create+0x10/0x20 [vendor_nic]',
  ]) {
    it(`counts with "${frame}"`, () => {
      assert.equal(complaintOf(warningIn(frame), ['vendor_nic']), told);
    });
  }

  for (const frame of ['ext4_write+0x10/0x20 [ext4]', 'calibrate+0x10/0x20', 'lib_call+0x10/0x20 [libata]']) {
    it(`does not count with "${frame}"`, () => {
      assert.equal(complaintOf(warningIn(frame), ['vendor_nic']), undefined);
      assert.equal(complaintOf(warningIn(frame)), told);
    });
  }

  it('is looked for after one that does not count', () => {
    const oops = 'BUG: KASAN: slab-use-after-free in rxe_completer+0x1/0x2 [rdma_rxe]';
    assert.equal(complaintOf(`${warningIn('ext4_write+0x10/0x20 [ext4]')}\n${oops}\n`, []), oops);
  });
});
