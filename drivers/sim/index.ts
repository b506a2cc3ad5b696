import type { CreateDriver, DriverOptions } from '../contract';
import { checkedOptions } from '../pipeline/in-process-driver';
import { simulatedDut } from './device/dut';
import { partsFor } from './faults';
import { networkOf, networkText } from './network-option';
import { Simulator, type SimulatorOptions } from './simulator';

export { triedDut } from './tried-dut';

/** The reference simulator. */
export const createDriver: CreateDriver = (options) => Promise.resolve().then(() => new Simulator(asked(options)));

function asked(options: DriverOptions): SimulatorOptions {
  const mtu = checkedOptions(simulatedDut, options);
  const parts = partsFor(options.fault);
  if (options.network === undefined) return { parts, mtu };
  const network = networkOf(options.network);
  options.progress(`network: ${networkText(network)}`);
  return { parts, mtu, network };
}
