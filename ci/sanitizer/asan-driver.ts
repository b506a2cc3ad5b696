/** Soft-RoCE in the VM, with a host process that AddressSanitizer watches; see asan.sh. */
import type { CreateDriver } from '../../drivers/contract';
import { startDriver } from '../../drivers/native/client/start';
import { startVm } from '../../drivers/vm/vm';
import { asanEnvironment, asanHostProgram } from './asan-host';

/** The sanitizer has a shadow of all memory. */
const memoryMb = 2048;

/** Everything takes longer under the sanitizer. */
const slowness = 4;

export const createDriver: CreateDriver = async ({ kernel = '6.1', progress }) => {
  const environment = Object.entries(asanEnvironment()).map(([name, value]) => `${name}=${value}`);
  const hostCommand = (session: number): readonly string[] => [
    '/usr/bin/env',
    ...environment,
    process.execPath,
    '--no-opt',
    asanHostProgram,
    '--session',
    String(session),
  ];
  const carrier = await startVm({ kernel, hostCommand, progress, memoryMb });
  const limits = { eventMs: 10_000, quietMs: 80 };
  return startDriver(carrier, { device: 'rxe0', portNum: 1, gidIndex: 1, limits, slowness, progress });
};
