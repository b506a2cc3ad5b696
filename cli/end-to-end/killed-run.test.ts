import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Command, until, withoutJava } from '../fixtures/command';
import { inProcess } from '../fixtures/in-process';

const rule = 'ibv_modify_cq.returns-zero';

describe('a run that SIGKILL ends', () => {
  let folder: string;
  let temporary: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-killed-'));
    temporary = join(folder, 'tmp');
    mkdirSync(temporary);
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('takes Java with it, whose folder the next run removes', async () => {
    const { home, options, isAtWork } = endlessJava(join(folder, 'java'));
    const env = { JAVA_HOME: home, TMPDIR: temporary };
    const command = new Command(['run', rule, '--out', join(folder, 'out')], env);
    await until('Java is at work', isAtWork);
    command.signal('SIGKILL');
    await command.finish();
    await command.leavesNoProcess();
    const [left = '', ...others] = own(temporary);
    assert.deepEqual(others, []);
    assert.match(options(), new RegExp(`^-XX:ErrorFile=${join(temporary, left)}/hs_err_%p\\.log `));
    await inProcess(['run', rule, '--out', join(folder, 'out')], { ...withoutJava, TMPDIR: temporary });
    assert.deepEqual(own(temporary), []);
  });

  it('takes the processes of a proof with it, also those that never return', async () => {
    const faults = join(__dirname, '..', 'fixtures', 'endless-fault.ts');
    const command = new Command(['prove', rule, '--faults', faults, '--out', join(folder, 'proof')]);
    await command.said(/fault 1 of 1: endless/);
    command.signal('SIGKILL');
    await command.finish();
    const killedAt = Date.now();
    await command.leavesNoProcess();
    const waitedMs = Date.now() - killedAt;
    assert.ok(waitedMs < 2000, `they lived on for ${waitedMs} ms`);
  });

  it('leaves folders that the next run removes, and that run removes nobody else’s', async () => {
    const { pid } = spawnSync('true');
    const cache = join(folder, 'cache');
    const ours = [`verbspec/kernels/.tmp-${hostname()}-${pid}-abc123`, `verbspec/new/.tmp-${hostname()}-${pid}-abc123`];
    const living = `verbspec/kernels/.tmp-${hostname()}-${process.pid}-abc123`;
    const foreign = [living, `verbspec/kernels/.tmp-elsewhere-${pid}-abc123`, `verbspec/kernels/6.1.0-1-amd64`];
    for (const path of [...ours, ...foreign]) mkdirSync(join(cache, path, 'tree'), { recursive: true });
    const another = join(temporary, `verbspec-${hostname()}-${pid}-def456`);
    if (process.getuid?.() === 0) {
      mkdirSync(another);
      chownSync(another, 65534, 65534);
    }
    const env = { ...withoutJava, TMPDIR: temporary, XDG_CACHE_HOME: cache };
    const { code } = await inProcess(['run', rule, '--out', join(folder, 'out')], env);
    assert.equal(code, 0);
    for (const path of ours) assert.ok(!existsSync(join(cache, path)), path);
    for (const path of foreign) assert.ok(existsSync(join(cache, path, 'tree')), path);
    if (process.getuid?.() === 0) assert.ok(existsSync(another));
  });
});

/** What verbspec itself has put into a folder. */
function own(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('verbspec-'));
}

/** A Java that notes its first option and then works for ever. */
function endlessJava(home: string): { home: string; options: () => string; isAtWork: () => boolean } {
  const [bin, note] = [join(home, 'bin'), join(home, 'options')];
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    join(bin, 'java'),
    `#!/bin/sh\necho "$@" >'${note}.new'\nmv '${note}.new' '${note}'\nexec sleep 600\n`,
    {
      mode: 0o755,
    },
  );
  return { home, options: () => readFileSync(note, 'utf8'), isAtWork: () => existsSync(note) };
}
