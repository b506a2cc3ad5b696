import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { root } from '../common/project';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));

after(() => {
  rmSync(folder, { recursive: true });
});

/** A uid that no user of a system has. */
const nobodysUid = 54_321;

describe('the command', () => {
  const bare = join(folder, 'bare');
  for (const file of ['cli/verbspec.js', 'ci/require-node.js', 'ci/typescript.js'])
    cpSync(join(root, file), join(bare, file));

  function refusal(): string {
    const { status, stderr } = spawnSync(process.execPath, [join(bare, 'cli/verbspec.js')], { encoding: 'utf8' });
    assert.equal(status, 3);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    return stderr.trim();
  }

  it('reports that its dependencies are not installed', () => {
    assert.match(
      refusal(),
      /^verbspec: its dependencies are not installed \(Cannot find module '@cspotcode\S+'\); run `npm s/,
    );
  });

  it('reports why its dependencies do not work', () => {
    const dependency = join(bare, 'node_modules', '@cspotcode', 'source-map-support');
    mkdirSync(dependency, { recursive: true });
    const text =
      "exports.install = () => { throw new Error('no', { cause: [1, new Error('the cache is\\nshared')] }); };";
    writeFileSync(join(dependency, 'index.js'), text);
    assert.equal(refusal(), 'verbspec: it cannot be loaded: the cache is; VERBSPEC_DEBUG=1 shows where');
  });

  it('runs for a user without a home, of whom the system knows nothing', (context) => {
    if (process.getuid?.() !== 0) {
      context.skip('only root can act as another user');
      return;
    }
    const home = join(folder, 'own');
    mkdirSync(home);
    chmodSync(folder, 0o755);
    chownSync(home, nobodysUid, 0);
    const args = ['--reuid', String(nobodysUid), '--clear-groups', 'env', '-u', 'HOME', `TMPDIR=${home}`];
    const run = ['run', 'ibv_resize_cq.returns-zero', '--out', join(home, 'out')];
    const command = [...args, 'JAVA_HOME=/nonexistent', process.execPath, join(root, 'cli/verbspec.js'), ...run];
    const { status, stdout, stderr } = spawnSync('setpriv', command, { encoding: 'utf8', cwd: home });
    assert.equal(status, 0, stderr + stdout);
    assert.match(stdout, /1 scenario: 1 pass/);
  });
});
