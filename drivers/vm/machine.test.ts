import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { HarnessError, type VmTime } from '../contract';
import { canDieWithParent } from '../support/dying-with-parent';
import { findProgram } from '../support/files';
import { KernelLog } from './kernel-log';
import { Machine } from './machine';
import { vmModules } from './kernels/modules';
import { rxe } from './kernels/rdma-links';

const skip = findProgram('busybox') === undefined && 'there is no busybox';
const notBound = !canDieWithParent() && 'a process cannot die with its parent here';

/** Writes what a fake QEMU needs: its ports, and a way to write without an end. */
const prelude = `
const [control, log] = [4, 5].map((fd) => new (require('node:net').Socket)({ fd }));
const flood = (stream, megabytes, then) => {
  if (megabytes > 0) stream.write(Buffer.alloc(1 << 20, 'x'), () => flood(stream, megabytes - 1, then));
  else then();
};
`;

describe('a machine whose guest says anything', { skip }, () => {
  let folder = '';
  const path = process.env.PATH;
  const machines: Machine[] = [];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'verbspec-machine-'));
    mkdirSync(join(folder, 'modules'));
    const builtin = vmModules(rxe).map(({ name }) => `${name}.ko\n`);
    writeFileSync(join(folder, 'modules/modules.builtin'), builtin.join(''));
    process.env.PATH = `${folder}${delimiter}${path}`;
  });

  afterEach(async () => {
    for (const machine of machines.splice(0)) await machine.close();
  });

  after(() => {
    process.env.PATH = path;
    rmSync(folder, { recursive: true });
  });

  /** Boots a program of Node.js in place of QEMU. */
  function boot(source: string, log = new KernelLog(), time: VmTime = 'wall'): Machine {
    writeFileSync(join(folder, 'qemu-system-x86_64'), `#!${process.execPath}\n${prelude}${source}`, { mode: 0o755 });
    const kernel = { release: '6.1', image: '/nonexistent', modulesDir: join(folder, 'modules') };
    const machine = new Machine(kernel, { link: true, module: { rdmaLink: rxe }, memoryMb: 1, time }, log);
    machines.push(machine);
    return machine;
  }

  it('hears it after a line without an end', async () => {
    const machine = boot(`flood(control, 50, () => control.write('\\nexit\\nthreads x\\n\\0\\nready\\n'));`);
    await machine.ready();
    assert.ok(machine.alive);
  });

  it('prints the end of what QEMU said, in a line', async () => {
    const end = `process.stderr.write('\\nqemu: \\u001b[31mno\\0 memory\\n', () => process.exit(1))`;
    const machine = boot(`flood(process.stderr, 50, () => ${end});`);
    await assert.rejects(machine.ready(), (error) => {
      assert.ok(error instanceof HarnessError);
      assert.match(error.message, /^the VM with kernel 6\.1 ended with exit code 1: qemu: no memory; /);
      return true;
    });
  });

  it('notices a complaint in a flood since it was ready', async () => {
    const noise = `'[ 1.0] noise\\n'.repeat(100_000)`;
    const afterwards = `log.write(${noise} + 'BUG: sleeping function\\n' + ${noise} + 'through\\n')`;
    const log = new KernelLog();
    const machine = boot(`control.once('data', () => ${afterwards}); control.write('ready\\n');`, log);
    await machine.ready();
    assert.equal(machine.hasComplained, false);
    machine.start(['true'], 'host');
    while (!log.lines().includes('through')) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(machine.hasComplained, true);
    assert.equal(machine.hasComplained, true);
  });

  it('is halted on demand, and goes on with the next order', { skip: notBound }, async () => {
    const pid = "require('node:fs').writeSync(5, process.pid + '\\n')";
    const echo = `control.on('data', () => log.write('heard\\n'))`;
    const log = new KernelLog();
    const machine = boot(`${pid}; ${echo}; control.write('ready\\n');`, log, 'virtual');
    await machine.ready();
    const process = machine.start(['true'], 'host');
    await untilSo(() => log.lines().includes('heard'));
    const state = (): string | undefined =>
      /^State:\s+(\w)/m.exec(readFileSync(`/proc/${log.lines()[0]}/status`, 'utf8'))?.[1];
    process.hold?.();
    await untilSo(() => state() === 'T');
    process.kill();
    await untilSo(() => log.lines().filter((line) => line === 'heard').length > 1);
    assert.notEqual(state(), 'T');
  });
});

async function untilSo(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
