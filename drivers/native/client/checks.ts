import { existsSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { asRoot, checkOf, fileCheck, installCommand, type Check } from '../../support/checks';
import { namesIn } from '../../support/files';
import { addonPath } from '../host/addon';
import { hostProgram } from '../carriers/local-carrier';
import { moduleState } from '../linux/module-state';

/** Sets up all that calling libibverbs takes, the two builds among it. */
const build = 'npm run setup';

/** What every driver needs that calls libibverbs. */
export function nativeChecks(): Check[] {
  return [libraryCheck(), addonCheck(), fileCheck('host program', hostProgram, build)];
}

function addonCheck(): Check {
  const path = addonPath();
  return checkOf('libibverbs addon', path !== undefined, path ?? 'missing', build);
}

/** Folders of 64-bit libraries: Debian has one an architecture, others /usr/lib64. */
function libraryCheck(): Check {
  const folders = ['/usr/lib64', '/usr/local/lib', ...namesIn('/usr/lib').map((name) => join('/usr/lib', name))];
  const path = folders.map((folder) => join(folder, 'libibverbs.so.1')).find((file) => existsSync(file));
  const remedy = installCommand('libibverbs1', 'ibverbs-providers');
  return checkOf('libibverbs', path !== undefined, path ?? 'missing', remedy);
}

/** A module of the kernel. */
export interface ModuleNeed {
  readonly name: string;
  /** What brings it where this kernel lacks it. */
  readonly remedy: string;
  /** Whether the driver loads it by itself. */
  readonly isLoadedOnDemand?: boolean;
}

export function moduleCheck({ name, remedy, isLoadedOnDemand = false }: ModuleNeed, state = moduleState(name)): Check {
  const isThere = state === 'loaded' || state === 'built in' || (state === 'loadable' && isLoadedOnDemand);
  const found = state === 'absent' ? `kernel ${release()} has none` : state;
  return checkOf(`kernel module ${name}`, isThere, found, state === 'loadable' ? asRoot(`modprobe ${name}`) : remedy);
}
