import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { HarnessError } from '../../contract';
import { findProgram } from '../../support/programs';
import { boot } from './boot';
import { scheduleOf } from './schedule';

const skip = findProgram('qemu-system-x86_64') === undefined ? 'there is no qemu-system-x86_64' : false;

describe('a deterministic VM that cannot be', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-boot-'));
  const image = join(folder, 'vmlinuz');
  after(() => {
    rmSync(folder, { recursive: true });
  });

  function booted(content: Buffer, deadlineMs: number): Promise<unknown> {
    writeFileSync(image, content);
    const kernel = { release: '9.9', image, modulesDir: folder };
    return boot({ kernel, image: Buffer.alloc(512), schedule: scheduleOf(7), deadlineMs });
  }

  it('is reported with what QEMU says, in one line', async () => {
    await assert.rejects(booted(Buffer.from('no kernel'), 60_000), (error) => {
      assert.ok(error instanceof HarnessError);
      assert.match(error.message, /^the deterministic VM with kernel 9\.9: QEMU ended with exit code 1: .+$/);
      return true;
    });
  });

  it('is ended when its time is up', async () => {
    // An endless loop in place of a kernel: the header of a bzImage, and `jmp $` behind it.
    const setup = Buffer.alloc(5 * 512);
    setup.write('HdrS', 0x202, 'latin1');
    setup.writeUInt16LE(0x0204, 0x206);
    setup.writeUInt8(4, 0x1f1);
    setup.writeUInt32LE(0x37ffffff, 0x22c);
    setup.writeUInt8(1, 0x211);
    setup.writeUInt16LE(0xfeeb, 0x200);
    const loop = Buffer.alloc(4096, Buffer.from([0xeb, 0xfe]));
    await assert.rejects(booted(Buffer.concat([setup, loop]), 3000), /did not end within 3 s/);
  });

  it('leaves no file', () => {
    const left = readdirSync(tmpdir()).filter((name) => name.includes(`-${process.pid}-`));
    assert.deepEqual(left, []);
  });
});
