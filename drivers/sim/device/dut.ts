import { capabilities, type Dut } from '../../contract';
import description from './simulated-dut.json';

/** What the simulated device says of itself. */
export const simulatedDut: Dut = { ...description, capabilities };

/** The device at the other end of its network. */
export const peerDut: Dut = {
  ...simulatedDut,
  hcaId: 'sim1',
  nodeGuid: '0000:0000:0000:0002',
  port: { ...simulatedDut.port, gid: '0000:0000:0000:0000:0000:0000:0000:0002' },
};
