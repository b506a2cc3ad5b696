import type { CreateDriver, Limits } from '../contract';
import { inProcessDriver } from '../pipeline/in-process-driver';
import { SimBackend } from './backend';
import { partsFor } from './faults';

/** Virtual time: what has to happen happens at once, and the simulator knows when nothing more can come. */
export const limits: Limits = { eventMs: 1000, quietMs: 0 };

/** The reference simulator. */
export const createDriver: CreateDriver = (options) =>
  Promise.resolve().then(() => inProcessDriver(new SimBackend(partsFor(options.fault)), limits, options));
