import type { Driver, Dut, Limits } from '../contract';
import { InProcessDriver } from '../pipeline/in-process-driver';
import { PeerBackend, SimBackend } from './backend';
import { soundParts, type Parts } from './device/device';
import { peerOf, simulatedDut } from './device/dut';
import { calm, type NetworkConditions } from './network/conditions';
import { Testbed } from './testbed';

/** Virtual time: what has to happen happens at once, and the simulator knows when nothing more can come. */
export const limits: Limits = { eventMs: 1000, quietMs: 0 };

/** Where packets are lost, some tries take the whole time for an answer. */
const limitsOfTries: Limits = { ...limits, eventMs: 60_000 };

/** What a simulator is made of; by default a sound device on a calm network. */
export interface SimulatorOptions {
  readonly parts?: Parts;
  readonly network?: Partial<NetworkConditions>;
  /** Path MTU in bytes. */
  readonly mtu?: number | undefined;
  /** What the device says of itself; by default that it has every capability. */
  readonly dut?: Dut;
}

/** The reference simulator: the device `left`, and `right` on the same network, each with a process of its own. */
export class Simulator extends InProcessDriver {
  readonly nodes: Readonly<Record<string, Driver>>;
  readonly testbed: Testbed;

  constructor({ parts = soundParts, network = calm, mtu, dut = simulatedDut }: SimulatorOptions = {}) {
    const testbed = new Testbed(network);
    const limitsHere = network === calm ? limits : limitsOfTries;
    super(new SimBackend(parts, testbed, dut), limitsHere, mtu);
    this.testbed = testbed;
    const peer = new PeerBackend(parts, testbed, peerOf(dut));
    this.nodes = { left: this, right: new InProcessDriver(peer, limitsHere, mtu) };
  }
}
