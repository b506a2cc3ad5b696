import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Driver } from '../../drivers/contract';
import { NativeBackend } from '../../drivers/native/client/native-backend';
import { tryDevice } from '../../drivers/native/client/start';
import { hostProgram } from '../../drivers/native/carriers/local-carrier';
import { startVm } from '../../drivers/vm/vm';
import { VerbsDriver } from '../../drivers/pipeline/verbs-driver';

/** What of ibv_event_type_str() chooses a fault; see the source of the library. */
const firstChoice = 20_000;

/**
 * Milliseconds for an event. One that comes is there within some hundredths of a second, and one that a fault keeps away
 * costs the whole wait: that of a scenario that has to pass is never over, and one that has to fail is not waited for long.
 */
const waitMs = { toPass: 60_000, toFail: 1_000 };

/** Compiles the provider with the faults. */
export function compileProviderFaults(library: string): void {
  const source = join(__dirname, '../../drivers/native/fixtures/provider-faults.c');
  const options = ['-Wall', '-Wextra', '-Werror', '-shared', '-fPIC', '-o', library, source, '-ldl'];
  execFileSync('cc', options, { stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Soft-RoCE in a VM, with a provider that commits one of several faults. */
export interface ShimmedVm {
  readonly driver: Driver;
  /**
   * Chooses what the provider does from the next scenario on.
   *
   * @param fault - its name, or `undefined` for none
   */
  choose(fault: string | undefined, scenariosHave: keyof typeof waitMs): void;
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
  const limits = { eventMs: waitMs.toPass, quietMs: 20 };
  const options = { device: 'rxe0', portNum: 1, gidIndex: 1, limits, ownsDevice: true };
  const backend = await NativeBackend.start(carrier, options);
  await tryDevice(backend, { limits, progress });
  let chosen = 0;
  const begin = backend.begin.bind(backend);
  backend.begin = async () => {
    await begin();
    await backend.call('ibv_event_type_str', { eventType: firstChoice + chosen });
  };
  const choose: ShimmedVm['choose'] = (fault, scenariosHave) => {
    chosen = fault === undefined ? 0 : faults.indexOf(fault) + 1;
    limits.eventMs = waitMs[scenariosHave];
  };
  return { driver: new VerbsDriver(backend, limits), choose };
}
