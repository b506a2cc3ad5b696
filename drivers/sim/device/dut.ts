import { capabilities, type Dut } from '../../contract';
import description from './simulated-dut.json';

/** What the simulated device says of itself. */
export const simulatedDut: Dut = { ...description, capabilities };
