import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';

const script = resolve(__dirname, '..', '..', '..', 'ci', 'kernel-module.sh');
const target = join(tmpdir(), 'x.ko');

/** What it says to wrong usage; it asks nothing of the network then. */
const refused: readonly (readonly [readonly string[], RegExp])[] = [
  [
    ['6.1', 'rxe'],
    /^a kernel, a link type or a file is missing; name \[--edges\] KERNEL rxe\|siw FILE\.ko \[PATCH\.\.\.\]$/,
  ],
  [['--edge', '6.1', 'rxe', target], /^Unknown option '--edge'.*; name \[--edges\] KERNEL /],
  [['6.1', 'mlx5', target], /^unknown link type 'mlx5'; /],
  [['/boot', 'rxe', target], /^'\/boot' is not a release of a kernel; /],
  [['6.1', 'rxe', 'rdma_rxe'], /^rdma_rxe does not end in \.ko; /],
  [['6.1', 'rxe', '/nowhere/x.ko'], /^there is no \/nowhere; /],
  [['6.1', 'rxe', target, '/nowhere/my.patch'], /^there is no \/nowhere\/my\.patch; /],
];

describe('ci/kernel-module.sh', () => {
  for (const [args, message] of refused) {
    it(`refuses ${args.slice(0, 4).join(' ')} with exit code 2, in a line`, () => {
      const { status, stderr } = spawnSync(script, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
      assert.match(stderr.trim(), message);
      assert.equal(status, 2);
    });
  }
});
