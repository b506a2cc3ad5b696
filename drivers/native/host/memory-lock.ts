import { optional, type Check } from '../../support/checks';
import { Sysfs } from '../linux/sysfs';

/** Bytes of memory that a process may lock; `undefined` without a limit. */
export interface LockLimit {
  readonly soft: number | undefined;
  readonly hard: number | undefined;
  /** Whether the limit does not apply to this process, as it has CAP_IPC_LOCK. */
  readonly isExempt: boolean;
}

/** The largest CQs and the memory of a scenario, with room to spare. */
const enoughBytes = 16 * 1024 * 1024;

const capIpcLock = 1n << 14n;

/** Reads the limit of this process. */
export function lockLimit(sysfs = new Sysfs()): LockLimit {
  const [, soft, hard] = /^Max locked memory\s+(\S+)\s+(\S+)/m.exec(sysfs.read('proc/self/limits')) ?? [];
  const [, capabilities = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(sysfs.read('proc/self/status')) ?? [];
  const isExempt = (BigInt(`0x${capabilities}`) & capIpcLock) !== 0n;
  return { soft: bytesOf(soft), hard: bytesOf(hard), isExempt };
}

function bytesOf(text: string | undefined): number | undefined {
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
}

/** Devices lock what they write to; a small limit shows as ENOMEM of a verb that is not the device's doing. */
export function lockCheck({ soft, hard, isExempt } = lockLimit()): Check {
  const name = 'RLIMIT_MEMLOCK';
  const found = `soft ${inWords(soft)}, hard ${inWords(hard)}${isExempt ? ', and it does not apply to you' : ''}`;
  if (isExempt || soft === undefined || soft >= enoughBytes) return { name, status: 'ok', found };
  const remedy =
    hard === undefined || hard >= enoughBytes
      ? `ulimit -l ${hard === undefined ? 'unlimited' : Math.floor(hard / 1024)}`
      : "echo '* - memlock unlimited' | sudo tee /etc/security/limits.d/rdma.conf, and log in again";
  return optional({ name, status: 'missing', found, remedy });
}

function inWords(bytes: number | undefined): string {
  return bytes === undefined ? 'unlimited' : `${Math.floor(bytes / 1024)} KiB`;
}
