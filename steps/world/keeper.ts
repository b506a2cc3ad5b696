import type { Driver, Kind, Objects } from '../../drivers/contract';

/** Who destroys at the end of a scenario what was made for it. */
export interface Keeper {
  readonly driver: Driver;
  keep<K extends Kind>(kind: K, creation: Promise<Objects[K]>): Promise<Objects[K]>;
}
