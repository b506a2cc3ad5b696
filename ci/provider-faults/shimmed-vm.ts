import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Driver, Limits } from '../../drivers/contract';
import { NativeBackend } from '../../drivers/native/client';
import { hostProgram } from '../../drivers/native/local-carrier';
import { startVm } from '../../drivers/soft-roce/vm';
import { VerbsDriver } from '../../drivers/verbs-driver';

/** What of ibv_event_type_str() chooses a fault; see the source of the library. */
const firstChoice = 20_000;

/** An event that a fault keeps away costs the whole wait; one that comes is there within hundredths of a second. */
const limits: Limits = { eventMs: 2_000, quietMs: 20 };

/** Compiles the provider with the faults. */
export function compileProviderFaults(library: string): void {
  const source = join(__dirname, '../../drivers/native/fixtures/provider-faults.c');
  const options = ['-Wall', '-Wextra', '-Werror', '-shared', '-fPIC', '-o', library, source, '-ldl'];
  execFileSync('cc', options, { stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Soft-RoCE in a VM, with a provider that commits one of several faults. */
export interface ShimmedVm {
  readonly driver: Driver;
  /** From the next scenario on the provider commits this fault; none if it has no name. */
  choose(fault: string | undefined): void;
}

/**
 * @param library - file of the compiled provider
 * @param faults - names of the faults that can be chosen
 */
export async function startShimmedVm(
  kernel: string,
  library: string,
  faults: readonly string[],
  progress: (line: string) => void,
): Promise<ShimmedVm> {
  const environment = [`LD_PRELOAD=${library}`, `VERBSPEC_PROVIDER_FAULTS=${faults.join(' ')}`];
  const host = ['/usr/bin/env', ...environment, process.execPath, '--no-opt', hostProgram];
  const hostCommand = (session: number): string[] => [...host, '--session', String(session)];
  const carrier = await startVm({ kernel, hostCommand, progress });
  const options = { device: 'rxe0', portNum: 1, gidIndex: 1, limits, ownsDevice: true };
  const backend = await NativeBackend.start(carrier, options);
  let chosen = 0;
  const begin = backend.begin.bind(backend);
  backend.begin = async () => {
    await begin();
    await backend.call('ibv_event_type_str', { eventType: firstChoice + chosen });
  };
  const choose = (fault?: string): void => void (chosen = fault === undefined ? 0 : faults.indexOf(fault) + 1);
  return { driver: new VerbsDriver(backend, limits), choose };
}
