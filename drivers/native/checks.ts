import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileCheck, installCommand, namesIn, type Check } from '../checks';
import { addonPath } from './addon';
import { hostProgram } from './local-carrier';

/** What every driver needs that calls libibverbs. */
export function nativeChecks(): Check[] {
  const build = 'npm test (it builds what is missing first)';
  return [
    libraryCheck(),
    fileCheck('soft-RoCE provider of libibverbs', '/etc/libibverbs.d/rxe.driver', installCommand('ibverbs-providers')),
    addonCheck(build),
    fileCheck('host program', hostProgram, build),
  ];
}

function addonCheck(remedy: string): Check {
  const path = addonPath();
  return { what: 'libibverbs addon', ok: path !== undefined, found: path ?? 'missing', remedy };
}

/** Folders of 64-bit libraries: Debian has one an architecture, others /usr/lib64. */
function libraryCheck(): Check {
  const folders = ['/usr/lib64', '/usr/local/lib', ...namesIn('/usr/lib').map((name) => join('/usr/lib', name))];
  const path = folders.map((folder) => join(folder, 'libibverbs.so.1')).find((file) => existsSync(file));
  const remedy = installCommand('libibverbs1', 'ibverbs-providers');
  return { what: 'libibverbs', ok: path !== undefined, found: path ?? 'missing', remedy };
}
