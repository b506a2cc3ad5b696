import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../cli/common/project';
import { refused, rule, works } from '../expect';
import { nobody, type Scratch } from '../scratch';
import type { Area, Ended, Try } from '../try';

const forger = join(__dirname, '..', 'fixtures', 'forge-compile-cache.js');

/** A user whom the system does not know. */
const stranger = 4242;

/** Fills each cache of compiled code that verbspec makes in TMPDIR, or a folder of the usual name, as another user. */
function forge(scratch: Scratch): void {
  const env = { PATH: process.env.PATH, HOME: scratch.home, TMPDIR: scratch.temporary };
  execFileSync(process.execPath, [join(root, 'cli', 'verbspec.js'), '--version'], { env });
  const usual = join(scratch.temporary, `v8-compile-cache-${process.getuid?.()}`);
  mkdirSync(usual, { recursive: true });
  execFileSync(process.execPath, [forger, scratch.temporary, scratch.path('owned')]);
  writeFileSync(join(usual, 'of-nobody'), '');
  const forged = readdirSync(scratch.temporary, { recursive: true, encoding: 'utf8' });
  for (const name of forged) chownSync(join(scratch.temporary, name), nobody, nobody);
  chmodSync(scratch.temporary, 0o1777);
}

function runsNothing({ scratch }: Ended): void {
  assert.ok(!scratch.has('owned'), 'code of another user ran');
}

function withForgedCode(name: string, args: readonly string[]): Try {
  return { name, args, prepare: forge, needs: ['root'], expect: works, changes: ['out'], afterwards: runsNothing };
}

/** A folder that a stranger's verbspec would keep kernels in, made by another user. */
function forgeKernels(scratch: Scratch): void {
  const cache = join(scratch.temporary, `cache-of-user-${stranger}`);
  mkdirSync(join(cache, 'verbspec', 'kernels', '6.1'), { recursive: true });
  for (const path of [cache, join(cache, 'verbspec'), join(cache, 'verbspec', 'kernels')]) chmodSync(path, 0o777);
  for (const folder of [scratch.here, scratch.temporary]) chmodSync(folder, 0o1777);
}

const asStranger = `exec setpriv --reuid=${stranger} --regid=${stranger} --clear-groups "$@"`;
const homeless = { HOME: 'relative', XDG_CACHE_HOME: undefined };

/** Code and kernels that another user of the machine has put where verbspec looks. */
export const caches: Area = {
  area: 'caches',
  tries: [
    { ...withForgedCode('compiled code of another user: --version', ['--version']), quick: true },
    withForgedCode('compiled code of another user: run', ['run', rule]),
    withForgedCode('compiled code of another user: rules', ['rules', 'ibv_poll_cq']),
    {
      name: 'kernels of another user, for one without a home',
      args: ['run', rule, '--driver', 'soft-roce', '--kernel', '6.1'],
      prepare: forgeKernels,
      under: asStranger,
      env: homeless,
      needs: ['root'],
      expect: refused(/cache/),
      maxMs: 120_000,
    },
    {
      name: 'a user whom the system does not know',
      args: ['run', rule],
      prepare: (scratch) => {
        for (const folder of [scratch.here, scratch.temporary]) chmodSync(folder, 0o1777);
      },
      under: asStranger,
      env: homeless,
      needs: ['root'],
      expect: { code: [0, 3], line: /HOME|home/ },
      changes: ['out', `$TMPDIR/cache-of-user-${stranger}`],
    },
  ],
};
