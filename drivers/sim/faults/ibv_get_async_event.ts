import type { Fault } from '../faults';

/** Planted faults of the rules of ibv_get_async_event(3). */
export const faults: Readonly<Record<string, Fault>> = {};
