import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { UsageError } from '../../contract';
import { moduleImage } from '../../soft-roce/fixtures/module-image';
import { chooseModule, demandVermagic } from './module-file';

const vermagic = '6.1.0-56-amd64 SMP preempt mod_unload modversions';
const image = moduleImage({ name: 'rdma_rxe', vermagic: `${vermagic} ` });

let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'verbspec-module-'));
});
after(() => {
  rmSync(folder, { recursive: true });
});

function put(name: string, content: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error.message;
  }
  assert.fail('it is not refused');
}

describe('the module that the user chooses', () => {
  it('is a file, described by its name and digest, whatever the file is called', () => {
    const { rdmaLink, file } = chooseModule(put('mine.ko', image));
    assert.deepEqual([rdmaLink.linkType, rdmaLink.device, rdmaLink.gidIndex], ['rxe', 'rxe0', 1]);
    const sha256 = createHash('sha256').update(image).digest('hex');
    assert.deepEqual(file?.dutModule, { name: 'rdma_rxe', file: 'mine.ko', sha256 });
    assert.deepEqual(file.image, image);
  });

  it('may be compressed', () => {
    assert.deepEqual(chooseModule(put('packed.ko.gz', gzipSync(image))).file?.image, image);
  });

  it('decides the link', () => {
    const { rdmaLink } = chooseModule(put('siw.ko', moduleImage({ name: 'siw' })));
    assert.deepEqual([rdmaLink.linkType, rdmaLink.device, rdmaLink.gidIndex], ['siw', 'siw0', 0]);
  });

  it("may be the kernel's own, by its name", () => {
    const { rdmaLink, file } = chooseModule('siw');
    assert.deepEqual([rdmaLink.module, file], ['siw', undefined]);
  });

  it('is refused in words where it is none of those', () => {
    const refused: readonly (readonly [string, RegExp])[] = [
      [join(folder, 'missing.ko'), /^there is no file .*missing\.ko; --module takes a file, or one of rdma_rxe, siw$/],
      [folder, /^there is no file/],
      [put('text.ko', Buffer.from('no module')), /text\.ko is not a kernel module for x86-64; /],
      [put('dummy.ko', moduleImage({ name: 'dummy' })), /is the module 'dummy'; --module takes one of rdma_rxe, siw$/],
      [put('cut.ko.gz', gzipSync(image).subarray(0, 40)), /cut\.ko\.gz cannot be unpacked: .+; name the module/],
    ];
    for (const [path, message] of refused)
      assert.match(
        refusalOf(() => chooseModule(path)),
        message,
      );
  });
});

describe('demandVermagic', () => {
  it('takes what is built for the kernel, and leaves the unknown to the kernel', () => {
    const { file } = chooseModule(put('fits.ko', image));
    assert.ok(file);
    demandVermagic(file, '6.1.0-56-amd64', vermagic);
    demandVermagic(file, '6.1.0-56-amd64', undefined);
  });

  it('names both where they differ', () => {
    const { file } = chooseModule(put('other.ko', image));
    assert.ok(file);
    const message = refusalOf(() => {
      demandVermagic(file, '7.2', '7.2 SMP preempt');
    });
    assert.match(
      message,
      /other\.ko is built for "6\.1\.0-56-amd64 SMP .*", and kernel 7\.2 takes "7\.2 SMP preempt"; /,
    );
  });
});
