import type { Fault } from '../faults';

/** Planted faults of the rules of ibv_event_type_str(3). */
export const faults: Readonly<Record<string, Fault>> = {};
