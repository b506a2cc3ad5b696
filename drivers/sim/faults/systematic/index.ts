import { answerFaults } from './answer-faults';
import { completionFaults } from './completion-faults';
import { deliveryFaults } from './delivery-faults';
import { stateFaults } from './state-faults';
import type { SystematicFault } from './systematic-fault';

/** All faults that operators make of the model. */
export function systematicFaults(): readonly SystematicFault[] {
  return [...stateFaults(), ...completionFaults(), ...deliveryFaults(), ...answerFaults()];
}
