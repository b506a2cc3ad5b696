import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileCheck, installCommand, type Check } from '../checks';
import { namesIn } from '../files';
import { addonPath } from './addon';
import { hostProgram } from './local-carrier';

/** Sets up all that calling libibverbs takes, the two builds among it. */
const build = 'npm run setup';

/** What every driver needs that calls libibverbs. */
export function nativeChecks(): Check[] {
  return [libraryCheck(), addonCheck(), fileCheck('host program', hostProgram, build)];
}

function addonCheck(): Check {
  const path = addonPath();
  return { what: 'libibverbs addon', ok: path !== undefined, found: path ?? 'missing', remedy: build };
}

/** Folders of 64-bit libraries: Debian has one an architecture, others /usr/lib64. */
function libraryCheck(): Check {
  const folders = ['/usr/lib64', '/usr/local/lib', ...namesIn('/usr/lib').map((name) => join('/usr/lib', name))];
  const path = folders.map((folder) => join(folder, 'libibverbs.so.1')).find((file) => existsSync(file));
  const remedy = installCommand('libibverbs1', 'ibverbs-providers');
  return { what: 'libibverbs', ok: path !== undefined, found: path ?? 'missing', remedy };
}
