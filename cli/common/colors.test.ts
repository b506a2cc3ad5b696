import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { Command, withoutJava } from '../fixtures/command';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));

after(() => {
  rmSync(folder, { recursive: true });
});

for (const args of [
  ['run', 'ibv_req_notify_cq.one-shot', '--out', join(folder, 'run')],
  ['rules', 'ibv_resize_cq'],
  ['doctor', 'sim'],
  ['--help'],
]) {
  it(`verbspec ${args[0]} has no colours where there is no terminal, also in CI`, async () => {
    const { stdout, stderr } = await Command.finished(args, { ...withoutJava, CI: 'true', FORCE_COLOR: '1' });
    assert.notEqual(stdout, '');
    assert.equal(`${stdout}${stderr}`.includes('\u001b'), false, stdout);
  });
}
