import type { Fault } from '../faults';

/** Planted faults of the rules of ibv_modify_cq(3). */
export const faults: Readonly<Record<string, Fault>> = {};
