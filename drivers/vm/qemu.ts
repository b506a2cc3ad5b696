import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { HarnessError, type VmTime } from '../contract';
import { dyingWithParent } from '../support/dying-with-parent';
import type { Kernel } from './kernels/kernel';
import { kvmRefusal } from './kvm';
import { needProgram } from '../support/programs';
import { memoryBytes } from './edges/edge-map';
import { sandboxOptions } from './sandbox';
import { openUnnamed } from './unnamed-file';

/** File descriptors of QEMU: sockets to this process, and files that have no name. */
const fds = { rpc: 3, control: 4, log: 5, initramfs: 6, edges: 7 } as const;

/** QEMU as a child process: three byte streams, and what it says when it fails. */
export interface Qemu {
  readonly process: ChildProcess;
  readonly rpc: Duplex;
  readonly control: Duplex;
  readonly log: Duplex;
}

/**
 * The clock of a VM. Where it is `executed`, a busy machine takes none of the time that a program is given: an instruction
 * lasts as long as in virtual time, and idle times as long as on this machine.
 */
export type VmClock = VmTime | 'executed';

/** What a user of QEMU chooses. */
export interface QemuOptions {
  readonly memoryMb: number;
  readonly time: VmClock;
  /** The file of the memory in which the module records its edges, where it does. */
  readonly edgeFile?: number;
}

/** Starts QEMU. It ends with this process, however that ends, and leaves no file. */
export function spawnQemu(kernel: Kernel, initramfs: Buffer, options: QemuOptions): Qemu {
  const file = openUnnamed('the initramfs', initramfs);
  try {
    const qemu = needProgram('qemu-system-x86_64');
    // Where it does not die with this process, the guest notices that its control port has closed, and powers off.
    const [program, args] = dyingWithParent(qemu, [...qemuArguments(kernel, options), ...sandboxOptions(qemu)]);
    const shared = options.edgeFile === undefined ? [] : [options.edgeFile];
    const stdio = ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe', file, ...shared] as const;
    // Ctrl-C is for this process, which ends the VM in order.
    const process = spawn(program, [...args], { stdio: [...stdio], detached: true });
    const streams = process.stdio as readonly unknown[] as readonly Duplex[];
    const [rpc, control, log] = [fds.rpc, fds.control, fds.log].map((fd) => streams[fd]);
    if (rpc === undefined || control === undefined || log === undefined) throw new HarnessError('QEMU has no ports');
    for (const stream of [rpc, control, log]) stream.on('error', ignore);
    return { process, rpc, control, log };
  } finally {
    closeSync(file);
  }
}

/** Its exit shows that QEMU is gone, not the streams to it. */
function ignore(): void {
  return;
}

/**
 * After an oops a kernel may go on with locks held, so it ends there; a warning is only logged. What the kernel's crypto
 * would test of itself takes half a second where the processor is emulated. Whether the timer of QEMU ticks is not to be
 * looked at: on a busy machine it seems to stand still, and the kernel panics.
 */
export const kernelCommandLine = 'console=ttyS0 panic=1 oops=panic panic_on_warn=0 cryptomgr.notests no_timer_check';

/**
 * What a kernel looks after from time to time and this VM has no use for. Where the clock goes on to the next timer, a wait of
 * two seconds would stop at each of them, which takes longer than all else that happens then.
 */
const withoutChores = [
  'tsc=reliable',
  'psi=0',
  'sysctl.vm.compaction_proactiveness=0',
  'sysctl.vm.stat_interval=86400',
  'sysctl.vm.dirty_writeback_centisecs=0',
];

/**
 * An instruction takes 4 ns of virtual time, which is about what an emulated one takes, and where there is none to execute
 * the clock goes on to the next timer. A task that hangs would be blocked for two minutes at once.
 */
const virtualTime = {
  qemu: ['-icount', 'shift=2,sleep=off'],
  kernel: ['sysctl.kernel.hung_task_timeout_secs=0', ...withoutChores].join(' '),
};
const executedTime = ['-icount', 'shift=2,sleep=on'];

/** Instructions are counted on one processor; on the clock of this machine, the threads of a driver meet as on real machines. */
const processors = { virtual: '1', executed: '1', wall: '2' } as const;

/** Features that make a processor faster, and an emulated one slower; it copies memory byte by byte where it has `erms`. */
export const slowWhereEmulated = ['erms', 'fsgsbase', 'invpcid', 'pcid'];

/** No display, no network, no file that is written, and this machine's file system to read. */
function qemuArguments(kernel: Kernel, { memoryMb, time, edgeFile }: QemuOptions): readonly string[] {
  const isVirtual = time === 'virtual';
  const isEmulated = time !== 'wall' || kvmRefusal() !== undefined;
  const cpu = ['max', ...(isEmulated ? slowWhereEmulated.map((feature) => `${feature}=off`) : [])].join(',');
  return [
    ...['-nodefaults', '-no-user-config', '-no-reboot', '-display', 'none'],
    ...[
      '-machine',
      `pc,accel=${isEmulated ? 'tcg' : 'kvm:tcg'}`,
      '-cpu',
      cpu,
      '-smp',
      processors[time],
      '-m',
      `${memoryMb}M`,
    ],
    ...['-kernel', kernel.image, '-initrd', `/proc/self/fd/${fds.initramfs}`],
    ...['-append', isVirtual ? `${kernelCommandLine} ${virtualTime.kernel}` : kernelCommandLine],
    ...(isVirtual ? virtualTime.qemu : []),
    ...(time === 'executed' ? executedTime : []),
    // A kernel without pvpanic ends the VM by a reboot instead.
    ...['-device', 'pvpanic-pci', '-action', 'panic=exit-failure'],
    ...['-chardev', `socket,id=log,fd=${fds.log}`, '-serial', 'chardev:log'],
    ...['-device', 'virtio-serial-pci,ioeventfd=off'],
    ...['-chardev', `socket,id=rpc,fd=${fds.rpc}`, '-device', 'virtserialport,chardev=rpc,name=rpc'],
    ...['-chardev', `socket,id=control,fd=${fds.control}`, '-device', 'virtserialport,chardev=control,name=control'],
    ...['-virtfs', 'local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap'],
    ...(edgeFile === undefined ? [] : edgeDevice),
  ];
}

/** Memory of this machine as a device of the VM; see edges/verbspec_edges.c. */
const edgeDevice = [
  ...['-object', `memory-backend-file,id=edges,mem-path=/proc/self/fd/${fds.edges},size=${memoryBytes},share=on`],
  ...['-device', 'ivshmem-plain,memdev=edges'],
];
