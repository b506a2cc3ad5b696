import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { UsageError } from '../../drivers/contract';
import { RdmaCore } from '../../drivers/native/linux/rdma-core';
import { loadDriver } from '../../drivers/registry';
import { kernelIn } from '../../drivers/vm/kernels/kernel';
import { chooseModule } from '../../drivers/vm/kernels/module-file';
import { ModuleTree } from '../../drivers/vm/kernels/modules';
import { loadClauses } from '../../catalog/clauses';
import { deviationsOfUser } from './deviations';
import { readExpectedCapabilities } from '../run/expected-capabilities';
import { faultEvidence } from './fault-evidence';
import { gate } from '../recorded/gate';
import { readEdition } from './man-pages';
import { loadFaults } from '../prove/prove-faults';
import { readRuns, readVerdicts } from './recorded-runs';

/** Whoever reads a file that the user has named, by what he wants. */
const readers: Readonly<Record<string, (path: string) => unknown>> = {
  'a run': (path) => readRuns([path]),
  'verdicts.json': readVerdicts,
  '--expect-capabilities': readExpectedCapabilities,
  '--deviations': (path) => deviationsOfUser([path], loadClauses()),
  '--proof': (path) => faultEvidence(path, ''),
  '--module': chooseModule,
};

/** What looks for files in a folder that the user has named. */
const seekers: Readonly<Record<string, (path: string) => unknown>> = {
  '--man': (path) => readEdition(['ibv_poll_cq'], path),
  '--kernel': kernelIn,
  '--rdma-core': (path) => new RdmaCore(path),
  '--driver': loadDriver,
  '--faults': loadFaults,
};

/** Demands a refusal in one line. */
function assertRefused(read: () => unknown, words = /./): void {
  assert.throws(read, (error) => {
    assert.ok(error instanceof UsageError, String(error));
    assert.doesNotMatch(error.message, /\n/);
    assert.match(error.message, words);
    assert.ok(error.message.length < 2000);
    return true;
  });
}

describe('a file that the user names', () => {
  let folder = '';
  const at = (name: string): string => join(folder, name);

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-named-'));
    execFileSync('mkfifo', [at('fifo')]);
    symlinkSync('fifo', at('link'));
    writeFileSync(at('huge'), '');
    truncateSync(at('huge'), 600 * 1024 * 1024);
    writeFileSync(at('nested'), `${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    writeFileSync(
      at('list'),
      JSON.stringify({ capabilities: Array.from({ length: 100_000 }, (_, index) => `x${index}`) }),
    );
    writeFileSync(at('deep'), `{"capabilities":[${'['.repeat(200_000)}${']'.repeat(200_000)}]}`);
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  for (const [what, read] of Object.entries(readers)) {
    it(`is refused as ${what} in a line where it is none, cannot be read, or has no end`, () => {
      const paths = ['fifo', 'link', 'huge', 'missing', 'nested'].map(at);
      for (const path of [...paths, '/dev/zero', folder]) {
        assertRefused(() => read(path), new RegExp(path));
      }
    });
  }

  for (const [what, read] of Object.entries(seekers)) {
    it(`is refused as ${what} where it is a FIFO or not there`, () => {
      for (const path of ['fifo', 'missing'].map(at)) {
        assertRefused(() => read(path));
      }
    });
  }

  it('is not a baseline where it is a FIFO', () => {
    writeFileSync(at('verdicts.json'), JSON.stringify(emptyRun));
    assertRefused(() => gate({ runs: [at('verdicts.json')], baseline: at('fifo') }), /--baseline .*not a regular file/);
  });

  it('expects no capabilities that have no end', () => {
    assertRefused(() => readExpectedCapabilities(at('list')), /unknown capabilities: "x0", .*"x9", \.\.\.;/);
    assertRefused(() => readExpectedCapabilities(at('deep')), /unknown capabilities: a list or an object;/);
  });

  it('may begin with a byte order mark', () => {
    writeFileSync(at('marked'), '\ufeff{"capabilities":["srq"]}');
    assert.deepEqual(readExpectedCapabilities(at('marked')), ['srq']);
    writeFileSync(at('deviations'), '\ufeff{"schemaVersion": 2, "deviations": []}');
    assert.deepEqual(deviationsOfUser([at('deviations')], loadClauses()), []);
  });
});

describe('a folder that the user names', () => {
  let folder = '';

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-named-'));
    const modules = join(folder, 'lib/modules/6.1.0-1-amd64');
    for (const path of [modules, join(folder, 'boot'), join(folder, 'usr/lib'), join(folder, 'man3')]) {
      mkdirSync(path, { recursive: true });
    }
    const fifos = ['man3/ibv_poll_cq.3', 'boot/vmlinuz-6.1.0-1-amd64', 'usr/lib/libibverbs.so.1'];
    for (const name of fifos) execFileSync('mkfifo', [join(folder, name)]);
    for (const name of ['9p.ko', 'dummy.ko.xz', 'overlay.ko.gz']) execFileSync('mkfifo', [join(modules, name)]);
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('holds no man page where that is a FIFO', () => {
    assertRefused(() => readEdition(['ibv_poll_cq'], folder), /has no man page ibv_poll_cq/);
  });

  it('holds no rdma-core whose library is a FIFO', () => {
    assertRefused(() => new RdmaCore(folder), /holds no libibverbs\.so\.1/);
  });

  it('holds no kernel that is a FIFO', () => {
    assertRefused(() => kernelIn(folder), /holds no kernel/);
  });

  it('has no modules, nor lists of them, that are FIFOs', () => {
    const modules = join(folder, 'lib/modules/6.1.0-1-amd64');
    for (const name of ['9p', 'dummy', 'overlay']) {
      const tree = new ModuleTree(modules);
      assertRefused(
        () => tree.closure([{ name }]),
        new RegExp(`${name}\\.ko\\S* cannot be read: it is not a regular file`),
      );
    }
    execFileSync('mkfifo', [join(modules, 'modules.builtin')]);
    assertRefused(() => new ModuleTree(modules), /modules\.builtin cannot be read: it is not a regular file/);
  });
});

const emptyRun = {
  schemaVersion: 2,
  suite: { version: '0', commit: 'unknown' },
  driver: 'sim',
  dut: {},
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 0,
  rules: [],
};
