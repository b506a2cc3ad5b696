import { accessSync, constants, readFileSync } from 'node:fs';
import type { Kernel } from './kernel';

/** File descriptors of QEMU: sockets to this process, and the initramfs, which has no name. */
export const fds = { rpc: 3, control: 4, log: 5, initramfs: 6 } as const;

/** Arguments of QEMU: no display, no network, no file that is written, this machine's file system to read. */
export function qemuArguments(kernel: Kernel, memoryMb: number): readonly string[] {
  return [
    ...['-nodefaults', '-no-user-config', '-no-reboot', '-display', 'none'],
    // One processor boots fastest where the processor is emulated.
    ...['-machine', `pc,accel=${hasKvm() ? 'kvm:tcg' : 'tcg'}`, '-cpu', 'max', '-smp', '1', '-m', `${memoryMb}M`],
    ...['-kernel', kernel.image, '-initrd', `/proc/self/fd/${fds.initramfs}`],
    ...['-append', 'console=ttyS0 panic=1'],
    ...['-chardev', `socket,id=log,fd=${fds.log}`, '-serial', 'chardev:log'],
    ...['-device', 'virtio-serial-pci'],
    ...['-chardev', `socket,id=rpc,fd=${fds.rpc}`, '-device', 'virtserialport,chardev=rpc,name=rpc'],
    ...['-chardev', `socket,id=control,fd=${fds.control}`, '-device', 'virtserialport,chardev=control,name=control'],
    ...['-virtfs', 'local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap'],
    ...['-device', 'pvpanic-pci', '-action', 'panic=exit-failure'],
  ];
}

/** Inside other VMs /dev/kvm may be there and QEMU hang in it for ever: only the processor's flags tell whether it works. */
function hasKvm(): boolean {
  try {
    accessSync('/dev/kvm', constants.R_OK | constants.W_OK);
    return /^flags\s*:.*\b(vmx|svm)\b/m.test(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return false;
  }
}
