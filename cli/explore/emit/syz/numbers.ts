import type { ProgramValue } from '../../../../drivers/programs/program';

/** Values of the kernel's own headers, which syzkaller writes as numbers. */
const bits: Readonly<Record<string, number>> = {
  ...inOrder(
    'IBV_QP_',
    'STATE CUR_STATE EN_SQD_ASYNC_NOTIFY ACCESS_FLAGS PKEY_INDEX PORT QKEY AV PATH_MTU TIMEOUT RETRY_CNT RNR_RETRY RQ_PSN',
    'MAX_QP_RD_ATOMIC ALT_PATH MIN_RNR_TIMER SQ_PSN MAX_DEST_RD_ATOMIC PATH_MIG_STATE CAP DEST_QPN',
  ),
  ...inOrder('IBV_ACCESS_', 'LOCAL_WRITE REMOTE_WRITE REMOTE_READ REMOTE_ATOMIC MW_BIND ZERO_BASED ON_DEMAND HUGETLB'),
  IBV_ACCESS_RELAXED_ORDERING: 1 << 20,
  IBV_SRQ_MAX_WR: 1,
  IBV_SRQ_LIMIT: 2,
};

function inOrder(prefix: string, ...names: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    names
      .join(' ')
      .split(' ')
      .map((name, bit) => [`${prefix}${name}`, 2 ** bit]),
  );
}

const enumerators: Readonly<Record<string, number>> = {
  IBV_QPT_RC: 2,
  IBV_QPT_UC: 3,
  IBV_QPT_UD: 4,
  IBV_QPT_RAW_PACKET: 8,
  IBV_QPS_RESET: 0,
  IBV_QPS_INIT: 1,
  IBV_QPS_RTR: 2,
  IBV_QPS_RTS: 3,
  IBV_QPS_SQD: 4,
  IBV_QPS_SQE: 5,
  IBV_QPS_ERR: 6,
  IBV_MTU_256: 1,
  IBV_MTU_512: 2,
  IBV_MTU_1024: 3,
  IBV_MTU_2048: 4,
  IBV_MTU_4096: 5,
  IBV_MIG_MIGRATED: 0,
  IBV_MIG_REARM: 1,
  IBV_MIG_ARMED: 2,
  IBV_MW_TYPE_1: 1,
  IBV_MW_TYPE_2: 2,
};

/**
 * A value as a number of so many bits; what a device gives, or what has no name in the kernel, is 0.
 *
 * @param size - bytes
 */
export function hex(value: ProgramValue | undefined, size: 1 | 2 | 4 | 8 = 4): string {
  return `0x${BigInt.asUintN(8 * size, numberOf(value)).toString(16)}`;
}

function numberOf(value: ProgramValue | undefined): bigint {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : 0n;
  if (typeof value === 'string') return /^0x[0-9a-f]+$/.test(value) ? BigInt(value) : BigInt(enumerators[value] ?? 0);
  if (!Array.isArray(value)) return 0n;
  const names = value as readonly ProgramValue[];
  return names.reduce<bigint>((sum, name) => sum | BigInt(typeof name === 'string' ? (bits[name] ?? 0) : 0), 0n);
}
