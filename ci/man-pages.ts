import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, inTemporaryFolder, putInPlace } from '../drivers/support/cache';
import { PrivateApt } from '../drivers/vm/kernels/apt';
import { runProgram } from '../drivers/support/programs';
import type { Suite } from '../drivers/vm/kernels/releases';

const wanted = 'libibverbs-dev';

/**
 * The package with the man pages of a Debian suite, unpacked into a folder that is kept. Nothing is installed.
 *
 * @returns that folder
 */
export async function manPagesOf(suite: Suite): Promise<string> {
  const cache = cacheFolder('man-pages');
  const target = join(cache, suite.name);
  if (existsSync(target)) return target;
  await inTemporaryFolder(cache, async (temporary) => {
    const apt = await PrivateApt.open(join(temporary, 'apt'), suite);
    const { file } = await apt.describe(wanted);
    await apt.fetch(wanted, temporary);
    const tree = join(temporary, 'tree');
    await runProgram('dpkg-deb', ['-x', join(temporary, file), tree]);
    await putInPlace(tree, target);
  });
  return target;
}
