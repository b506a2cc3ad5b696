import type { CreateDriver } from '../contract';
import { checkedOptions } from '../pipeline/in-process-driver';
import { simulatedDut } from './device/dut';
import { partsFor } from './faults';
import { chosen } from './lawful/chosen';
import { networkOf, networkText } from './network-option';
import { Simulator } from './simulator';

export { backendOf, triedDut } from './tried-dut';

/** The reference simulator. */
export const createDriver: CreateDriver = async (options) => {
  const mtu = checkedOptions(simulatedDut, options);
  const parts = partsFor(options.fault);
  const simulator = { mtu, ...((await chosen(parts, options)) ?? { parts }) };
  if (options.network === undefined) return new Simulator(simulator);
  const network = networkOf(options.network);
  options.progress(`network: ${networkText(network)}`);
  return new Simulator({ ...simulator, network });
};
