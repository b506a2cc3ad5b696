import type { Fault } from '../faults';

/** Planted faults of the rules of ibv_resize_cq(3). */
export const faults: Readonly<Record<string, Fault>> = {};
