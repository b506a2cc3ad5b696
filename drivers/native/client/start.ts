import type { Driver } from '../../contract';
import { checkedMtu } from '../../pipeline/refuse-options';
import { limitsAt } from '../../pipeline/trials/limits';
import { preflight } from '../../pipeline/trials/preflight';
import { TrialSession, type Tell } from '../../pipeline/trials/trial-session';
import { tryCapabilities, tryQpTypes } from '../../pipeline/trials/try-capabilities';
import { VerbsDriver } from '../../pipeline/verbs-driver';
import type { Carrier } from '../carriers/carrier';
import { NativeBackend, type NativeOptions } from './native-backend';

/** What a driver on host processes is started with. */
export interface StartOptions extends NativeOptions {
  /** Gets a line about each trial that the device does not survive. */
  readonly progress: Tell;
}

/**
 * Starts a driver on host processes, and tries what the device can. If it cannot be started, the carrier is closed.
 *
 * @param mtu - path MTU in bytes that the user asks for
 * @throws UsageError if there is no such device, port or MTU
 * @throws HarnessError if no message of the device to itself arrives
 */
export async function startDriver(carrier: Carrier, options: StartOptions, mtu?: number): Promise<Driver> {
  const backend = await NativeBackend.start(carrier, options);
  try {
    const pathMtu = checkedMtu(backend.dut, mtu);
    const limits = await tryDevice(backend, options, pathMtu);
    return new VerbsDriver(backend, limits, pathMtu);
  } catch (error) {
    await backend.close();
    throw error;
  }
}

/** Lets the device show what it can. @returns how long things may take on it */
export async function tryDevice(
  backend: NativeBackend,
  { limits: usual, progress }: Pick<StartOptions, 'limits' | 'progress'>,
  mtu?: number,
): Promise<NativeOptions['limits']> {
  const session = new TrialSession(new VerbsDriver(backend, usual, mtu), progress);
  const qpTypes = await tryQpTypes(session);
  const limits = limitsAt(await preflight(session, qpTypes), usual);
  const capabilities = await tryCapabilities(session, qpTypes);
  await session.end();
  backend.adopt({ capabilities, limits });
  return limits;
}
