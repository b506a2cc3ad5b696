/**
 * Runs the drivers that use this machine's own devices, on a machine that has soft-RoCE: the device rxe0, GID index 1. They
 * make and remove a soft-RoCE device of their own; the tests run this in the VM. One run is a process of its own; all
 * others share this one, as a process takes most of its time to start where the processor is emulated.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, withoutJava, type CommandResult } from '../../cli/fixtures/command';
import { inProcess } from '../../cli/fixtures/in-process';
import { SshServer } from '../../drivers/native/fixtures/ssh-server';

const device = ['--driver', 'hca', '-d', 'rxe0', '-x', '1'];
const clone = resolve(__dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'verbspec-on-rxe-'));

/** Demands the exit code of a command, whose output it shows, and a text in that. */
async function demand(
  args: readonly string[],
  code: number,
  command: Promise<CommandResult>,
  told = /^/,
): Promise<void> {
  process.stdout.write(`$ verbspec ${args.join(' ')}\n`);
  const result = await command;
  process.stdout.write(result.stderr + result.stdout);
  assert.equal(result.code, code, `exit code of verbspec ${args.join(' ')}`);
  assert.match(result.stderr + result.stdout, told);
}

async function run(name: string, more: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const args = ['run', '--out', join(folder, name), ...more];
  await demand(args, 0, inProcess(args, { ...withoutJava, ...env }));
}

/** A few rules show the drivers: all features would take long here. The last one of hca deviates on rxe. */
async function runOnDevices(): Promise<void> {
  await demand(['doctor', 'hca'], 0, inProcess(['doctor', 'hca']));
  const rules = ['ibv_get_cq_event.destroy-waits-for-acks', 'ibv_poll_cq.overrun-cq-unusable'];
  const hca = ['run', '--out', join(folder, 'hca'), ...device, 'ibv_req_notify_cq.one-shot', ...rules];
  await demand(hca, 0, Command.finished(hca, withoutJava));
  const ofPort = ['ibv_poll_cq.overrun-async-event', 'ibv_get_async_event.event-port-err'];
  await run('soft-roce', ['--driver', 'soft-roce', '--kernel', 'host', ...ofPort]);
}

/** Nothing runs on a GID that the device does not have. Any set-up that is broken ends with 3: the message tells. */
async function runOnUnknownGid(): Promise<void> {
  const args = [
    'run',
    '--out',
    join(folder, 'gid'),
    '--driver',
    'hca',
    '-d',
    'rxe0',
    '-x',
    '200',
    'ibv_req_notify_cq.one-shot',
  ];
  await demand(args, 3, inProcess(args), /port 1 of rxe0 has no GID at index 200/);
}

/** Lists what a run may have left behind. */
function rdmaLinks(): string {
  const { error, status, stdout, stderr } = spawnSync('rdma', ['link'], { encoding: 'utf8' });
  if (error) throw new Error(`rdma cannot be run (${error.message}): install the package iproute2`);
  assert.equal(status, 0, `rdma link failed: ${stderr}`);
  return stdout;
}

/** The same device as that of another machine: over a real ssh connection, with the host process of this clone. */
async function runRemotely(): Promise<void> {
  const server = new SshServer();
  try {
    await server.listen();
    const rules = ['ibv_req_notify_cq.one-shot', 'ibv_get_cq_event.destroy-waits-for-acks'];
    const host = ['--host', `tester@testhost:${clone}`];
    await run('remote', [...device, ...host, ...rules], { VERBSPEC_SSH_CONFIG: server.config });
    assert.equal(server.commands.length, 1, 'the host process is started once');
  } finally {
    await server.close();
  }
}

/** The device has lost nothing since, is described in full, and can be described without its addresses. */
async function runRedacted(): Promise<void> {
  const verdicts = join(folder, 'hca', 'verdicts.json');
  const described = readFileSync(verdicts, 'utf8');
  for (const part of ['"gidType": "RoCE v2"', '"name": "rdma_rxe"', '"buildId"', '"taint"']) {
    assert.ok(described.includes(part), `the verdicts lack ${part}`);
  }
  const same = ['--redact', '--expect-capabilities', verdicts];
  await run('redacted', [...device, ...same, 'ibv_poll_cq.field-wr-id']);
  const sysfs = '/sys/class/infiniband/rxe0';
  const files = ['node_guid', 'ports/1/gids/0', 'ports/1/gids/1'].map((file) => join(sysfs, file));
  const addresses = files.map((file) => readFileSync(file, 'utf8').trim());
  const plain = textsIn(join(folder, 'hca'));
  assert.ok(
    addresses.some((address) => plain.some(({ text }) => text.includes(address))),
    'the plain results have no address that could be left out',
  );
  for (const { path, text } of textsIn(join(folder, 'redacted'))) {
    for (const address of addresses) assert.ok(!text.includes(address), `--redact has left ${address} in ${path}`);
  }
}

function textsIn(results: string): { path: string; text: string }[] {
  const entries = readdirSync(results, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

async function main(): Promise<void> {
  try {
    assert.ok(rdmaLinks().includes('rxe0'), 'there is no device rxe0 here: drivers/vm/in-vm.ts makes one');
    await runOnDevices();
    await runOnUnknownGid();
    await runRemotely();
    await runRedacted();
    const links = rdmaLinks();
    assert.ok(!links.includes('vspec'), `a soft-RoCE device was left behind: ${links}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
