import { tmpdir } from 'node:os';
import { cacheKinds } from './support/cache';
import { removeAbandonedLinks } from './soft-roce/host-link';
import { discardAbandonedFolders, temporaryPrefixes } from './support/temporary-folder';

/**
 * Removes what killed runs of this user have left on this machine: folders in the cache and among the system's temporary
 * files, and links on the kernel. What cannot be removed stays, and does not disturb a run.
 */
export async function removeAbandoned(): Promise<void> {
  try {
    discardAbandonedFolders(tmpdir(), temporaryPrefixes.system);
    for (const folder of cacheKinds()) discardAbandonedFolders(folder, temporaryPrefixes.cache);
    if (process.getuid?.() === 0) await removeAbandonedLinks();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}
