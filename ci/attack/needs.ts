import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../../drivers/support/cache';
import { findProgram, namesIn } from '../../drivers/support/files';
import type { Need } from './try';

/** Why a try cannot be made here, for each need that this machine does not meet. */
export function unmetNeeds(): ReadonlyMap<Need, string> {
  const reasons: Readonly<Record<Need, string | undefined>> = {
    root: rootRefusal(),
    mount: rootRefusal() ?? mountRefusal(),
    vm: vmRefusal(),
    mandoc: findProgram('mandoc') === undefined ? 'there is no mandoc' : undefined,
  };
  return new Map(
    Object.entries(reasons).flatMap(([need, reason]) => (reason === undefined ? [] : [[need as Need, reason]])),
  );
}

function rootRefusal(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can act as another user';
  return findProgram('setpriv') === undefined ? 'there is no setpriv' : undefined;
}

function mountRefusal(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-attack-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'verbspec-attack', folder]);
  if (status === 0) spawnSync('umount', [folder]);
  rmdirSync(folder);
  return status === 0 ? undefined : 'this user may not mount a file system';
}

function vmRefusal(): string | undefined {
  if (process.env.VERBSPEC_SKIP_VM === '1') return 'VERBSPEC_SKIP_VM is set';
  if (findProgram('qemu-system-x86_64') === undefined) return 'there is no qemu-system-x86_64';
  return namesIn(cacheFolder('kernels')).length === 0 ? 'no kernel was fetched yet' : undefined;
}
