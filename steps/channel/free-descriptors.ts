import type { VerbsWorld } from '../world/world';

/** Does something while the process may open no more files. */
export async function withoutFreeDescriptors<T>(world: VerbsWorld, action: () => Promise<T>): Promise<T> {
  await world.context();
  await world.driver.limitOpenFiles(0);
  try {
    return await action();
  } finally {
    await world.driver.limitOpenFiles(null);
  }
}
