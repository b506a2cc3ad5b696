import type { Driver } from '../../contract';
import { checkedMtu } from '../../pipeline/refuse-options';
import { VerbsDriver } from '../../pipeline/verbs-driver';
import type { Carrier } from '../carriers/carrier';
import { NativeBackend, type NativeOptions } from './native-backend';

/**
 * Starts a driver on host processes. If it cannot be started, the carrier is closed.
 *
 * @param mtu - path MTU in bytes that the user asks for
 * @throws UsageError if there is no such device, port or MTU
 */
export async function startDriver(carrier: Carrier, options: NativeOptions, mtu?: number): Promise<Driver> {
  const backend = await NativeBackend.start(carrier, options);
  try {
    return new VerbsDriver(backend, options.limits, checkedMtu(backend.dut, mtu));
  } catch (error) {
    await backend.close();
    throw error;
  }
}
