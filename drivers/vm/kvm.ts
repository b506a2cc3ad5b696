import { constants, existsSync, readFileSync } from 'node:fs';
import { mayAccess } from '../support/files';

const device = '/dev/kvm';

/**
 * Why QEMU cannot use this machine's processor and emulates one, or `undefined` if it can. Inside a VM the device may be
 * there and QEMU hang in it for ever: only the processor's flags show whether it works.
 */
export function kvmRefusal(): string | undefined {
  if (!existsSync(device)) return `there is no ${device}`;
  if (!mayAccess(device, constants.R_OK | constants.W_OK)) return `${device} is not for this user`;
  return hasVirtualization() ? undefined : `${device} is there, and the processor has neither vmx nor svm`;
}

function hasVirtualization(): boolean {
  try {
    return /^flags\s*:.*\b(vmx|svm)\b/m.test(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return false;
  }
}
