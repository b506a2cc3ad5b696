import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseMessages } from '../../reports/recording/messages';
import { Command, withoutJava, type CommandResult } from '../fixtures/command';
import { inProcess } from '../fixtures/in-process';

const rules = ['ibv_poll_cq.overrun-async-event', 'ibv_req_notify_cq.one-shot'];

/** Blocks of 512 bytes that a shell allows a file: fewer than the messages of a run take. */
const fileBlocksMax = 16;

describe('a disk that is full', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  function assertTold({ code, stdout, stderr }: CommandResult, errno: string): void {
    assert.equal(code, 3, stderr);
    assert.match(
      stderr,
      new RegExp(`^verbspec: cannot write results to .*${errno}.*; free space or name another --out$`, 'm'),
    );
    assert.doesNotMatch(stderr, /\n {4}at /, 'a stack trace');
    assert.match(stdout, /\d+ scenarios?: \d+ pass/, 'what ran is reported anyway');
  }

  it('is reported with its remedy, keeps what fits of the run, and spares what was there', async () => {
    const out = join(folder, 'out');
    assert.equal((await inProcess(['run', ...rules, '--out', out])).code, 0);
    const before = readFileSync(join(out, 'verdicts.json'), 'utf8');
    assertTold(await Command.finished(['run', ...rules, '--out', out], withoutJava, fileBlocksMax), 'EFBIG');
    assert.equal(readFileSync(join(out, 'verdicts.json'), 'utf8'), before);
    assert.deepEqual(readdirSync(folder).sort(), ['out', 'out.incomplete']);
    const messages = parseMessages(readFileSync(join(folder, 'out.incomplete', 'messages.ndjson'), 'utf8'));
    assert.ok(messages.length > 0, 'messages come first');
    assert.equal((await inProcess(['run', ...rules, '--out', out])).code, 0);
    assert.ok(existsSync(join(folder, 'out.incomplete')), 'the next run leaves them');
  });

  it('is reported where it is a small file system', async (context) => {
    const small = join(folder, 'small');
    mkdirSync(small);
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'small', small]);
    if (mount.status !== 0) {
      context.skip('this user may not mount a file system');
      return;
    }
    try {
      assertTold(await Command.finished(['run', ...rules, '--out', join(small, 'out')]), 'ENOSPC');
      assert.deepEqual(readdirSync(small), ['out.incomplete']);
      const messages = parseMessages(readFileSync(join(small, 'out.incomplete', 'messages.ndjson'), 'utf8'));
      assert.ok(messages.length > 0, 'messages come first');
    } finally {
      execFileSync('umount', [small]);
    }
  });
});
