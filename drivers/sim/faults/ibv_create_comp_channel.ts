import type { Fault } from '../faults';

/** Planted faults of the rules of ibv_create_comp_channel(3). */
export const faults: Readonly<Record<string, Fault>> = {};
