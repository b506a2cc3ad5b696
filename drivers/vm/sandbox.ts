import { spawnSync } from 'node:child_process';

/** System calls that QEMU gives up before the guest runs: to start programs, to gain rights, and obsolete ones. */
const sandbox = ['-sandbox', 'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny'];

/** A machine without anything, which ends at once. */
const emptyMachine = ['-nodefaults', '-no-user-config', '-M', 'none', '-display', 'none', '-monitor', 'stdio'];

const answerMaxMs = 10_000;

const known = new Map<string, readonly string[]>();

/**
 * The options by which a guest that has taken over its QEMU can do less. There are none where QEMU was built without
 * seccomp, or the kernel refuses it; QEMU itself is asked, once.
 */
export function sandboxOptions(qemu: string): readonly string[] {
  const options = known.get(qemu) ?? (canRun(qemu, sandbox) ? sandbox : []);
  known.set(qemu, options);
  return options;
}

function canRun(qemu: string, options: readonly string[]): boolean {
  const { status } = spawnSync(qemu, [...emptyMachine, ...options], {
    input: 'quit\n',
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: answerMaxMs,
    killSignal: 'SIGKILL',
  });
  return status === 0;
}
