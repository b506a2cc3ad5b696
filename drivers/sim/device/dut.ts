import { capabilities, type Dut } from '../../contract';
import description from './simulated-dut.json';

/** What the simulated device says of itself. */
export const simulatedDut: Dut = { ...description, capabilities };

/** The device at the other end of the network of one like it. */
export function peerOf(dut: Dut): Dut {
  const port = { ...dut.port, gid: '0000:0000:0000:0000:0000:0000:0000:0002' };
  return { ...dut, hcaId: 'sim1', nodeGuid: '0000:0000:0000:0002', port };
}

export const peerDut: Dut = peerOf(simulatedDut);
