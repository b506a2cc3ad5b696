import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { HarnessError, type Capability, type Driver, type VmTime } from '../../drivers/contract';
import { NativeBackend } from '../../drivers/native/client/native-backend';
import { tryDevice } from '../../drivers/native/client/start';
import { hostProgram } from '../../drivers/native/carriers/local-carrier';
import { startVm } from '../../drivers/vm/vm';
import { VerbsDriver } from '../../drivers/pipeline/verbs-driver';

/** What of ibv_event_type_str() controls the library; see drivers/native/fixtures/provider-shim.h. */
const control = { firstChoice: 20_000, changesAsked: 10_000 };

/**
 * Milliseconds for an event. One that comes is there within some hundredths of a second, and one that a fault keeps away
 * costs the whole wait: that of a scenario that has to pass is never over, and one that has to fail is not waited for long.
 */
const waitMs = { toPass: 60_000, toFail: 1_000 };

/**
 * Part of the usual deadlines of calls. Where waits cost nothing, a fault that keeps calls from returning still costs a
 * deadline in each of its scenarios. What this machine withholds from the VM does not count: no sound call misses one.
 */
const slownessOf = { virtual: 0.2, wall: 1 } as const satisfies Readonly<Record<VmTime, number>>;

/** A library for LD_PRELOAD, and the names of what it can have the provider do. */
export interface Shim {
  readonly file: string;
  readonly choices: readonly string[];
}

/** Compiles a library of drivers/native/fixtures into a folder. */
export function compileShim(name: string, folder: string, choices: readonly string[]): Shim {
  const file = join(folder, `${name}.so`);
  const source = join(__dirname, `../../drivers/native/fixtures/${name}.c`);
  const options = ['-Wall', '-Wextra', '-Werror', '-shared', '-fPIC', '-o', file, source, '-ldl', '-lpthread'];
  execFileSync('cc', options, { stdio: ['ignore', 'inherit', 'inherit'] });
  return { file, choices };
}

/** Soft-RoCE in a VM, with a provider that does one of several things otherwise. */
export interface ShimmedVm {
  readonly driver: Driver;
  /**
   * Chooses what the provider does from the next scenario on.
   *
   * @param choice - its name, or `undefined` for nothing
   */
  choose(choice: string | undefined, scenariosHave: keyof typeof waitMs): void;
  /** Lets the device show anew what it can. */
  tryAgain(): Promise<readonly Capability[]>;
  /** How often the provider did otherwise in the scenarios since this was asked last. */
  takeChanges(): number;
}

/**
 * Boots a VM whose host processes run with the library.
 *
 * @param time - on virtual time it has one processor, and so one completion vector
 */
export async function startShimmedVm(
  kernel: string,
  { file, choices }: Shim,
  progress: (line: string) => void,
  time: VmTime,
): Promise<ShimmedVm> {
  const environment = [`LD_PRELOAD=${file}`, `VERBSPEC_SHIM=${choices.join(' ')}`];
  const host = ['/usr/bin/env', ...environment, process.execPath, '--no-opt', hostProgram];
  const onItsClock = time === 'virtual' ? ['--virtual-time'] : [];
  const hostCommand = (session: number): string[] => [...host, '--session', String(session), ...onItsClock];
  const carrier = await startVm({ kernel, hostCommand, progress, time });
  const limits = { eventMs: waitMs.toPass, quietMs: 20 };
  const options = { device: 'rxe0', portNum: 1, gidIndex: 1, limits, ownsDevice: true, slowness: slownessOf[time] };
  const backend = await NativeBackend.start(carrier, options);
  await tryDevice(backend, { limits, progress });
  const choice = new Choice(backend);
  return {
    driver: new VerbsDriver(backend, limits),
    choose: (name, scenariosHave) => {
      choice.number = name === undefined ? 0 : choices.indexOf(name) + 1;
      limits.eventMs = waitMs[scenariosHave];
    },
    tryAgain: async () => {
      await tryDevice(backend, { limits, progress });
      return backend.dut.capabilities;
    },
    takeChanges: () => choice.takeChanges(),
  };
}

/** What the provider does otherwise in each scenario. */
class Choice {
  number = 0;
  #changes = 0;

  constructor(backend: NativeBackend) {
    const begin = backend.begin.bind(backend);
    backend.begin = async () => {
      await begin();
      await backend.call('ibv_event_type_str', { eventType: control.firstChoice + this.number });
    };
    const end = backend.end.bind(backend);
    backend.end = async () => {
      this.#changes += await changesIn(backend);
      return end();
    };
  }

  takeChanges(): number {
    const changes = this.#changes;
    this.#changes = 0;
    return changes;
  }
}

/** A host that was lost in the scenario cannot be asked; its verdict says so. */
async function changesIn(backend: NativeBackend): Promise<number> {
  try {
    return Number((await backend.call('ibv_event_type_str', { eventType: control.changesAsked })).returned);
  } catch (error) {
    if (error instanceof HarnessError) return 0;
    throw error;
  }
}
