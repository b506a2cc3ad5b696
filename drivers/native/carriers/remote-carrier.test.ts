import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { DutCrashed, DutHung, DutLost, HarnessError } from '../../contract';
import { NativeBackend } from '../client/native-backend';
import { SshServer, type SshServerOptions } from '../fixtures/ssh-server';
import { RemoteCarrier } from './remote-carrier';
import { like } from '../fixtures/like';

const fakeHost = `require(${JSON.stringify(resolve(__dirname, '..', 'fixtures', 'fake-host.js'))});`;

/** Deadlines of 20 s for ordinary verbs, unless a test waits for one. */
const patience = 2;

const servers: SshServer[] = [];
const backends: NativeBackend[] = [];

afterEach(async () => {
  for (const backend of backends.splice(0)) await backend.close();
  for (const server of servers.splice(0)) await server.close();
  delete process.env.VERBSPEC_SSH_CONFIG;
});

async function serve(options: SshServerOptions = {}): Promise<SshServer> {
  const server = new SshServer(options);
  servers.push(server);
  await server.listen();
  process.env.VERBSPEC_SSH_CONFIG = server.config;
  return server;
}

async function connect(slowness = patience, folder = 'verbspec', device = 'fake0'): Promise<NativeBackend> {
  const carrier = new RemoteCarrier({ destination: 'tester@testhost', folder });
  const limits = { eventMs: 10, quietMs: 10 };
  const backend = await NativeBackend.start(carrier, { device, portNum: 1, gidIndex: 0, limits, slowness });
  backends.push(backend);
  await backend.begin();
  return backend;
}

/** Whether a process is there; one that has ended and that nobody has waited for has no command line. */
function isRunning(pid: string): boolean {
  const file = `/proc/${pid}/cmdline`;
  return existsSync(file) && readFileSync(file, 'utf8') !== '';
}

describe('a host process over ssh', () => {
  it('executes verbs', async () => {
    (await serve()).install('verbspec', fakeHost);
    const backend = await connect();
    assert.equal(backend.dut.hcaId, 'fake0');
    const { outputs } = await backend.call('ibv_reg_mr', { word: 0xffff_ffff_ffff_ffffn });
    assert.deepEqual(outputs.echo, { word: 0xffff_ffff_ffff_ffffn });
  });

  it('is that of the folder that the user names', async () => {
    const server = await serve();
    server.install('src/verbspec-2', fakeHost);
    assert.equal((await connect(patience, 'src/verbspec-2')).dut.hcaId, 'fake0');
  });

  it('that leaves an object behind is replaced', async () => {
    const server = await serve();
    server.install('verbspec', fakeHost);
    const backend = await connect();
    await backend.call('ibv_open_device', {});
    assert.deepEqual(await backend.end(), ['context#1']);
    await backend.begin();
    assert.equal(backend.dut.kernel, 'session 2');
    assert.equal(server.commands.length, 2);
  });

  it('that crashes is reported as a crash, with its signal, and replaced', async () => {
    (await serve()).install('verbspec', fakeHost);
    const backend = await connect();
    const call = backend.call('ibv_post_send', { qp: 'qp#1' });
    await assert.rejects(call, like(DutCrashed, /died of SIGSEGV in ibv_post_send\(/));
    await backend.begin();
    assert.equal(backend.dut.kernel, 'session 2');
  });

  it('that gives up is reported with its last words', async () => {
    (await serve()).install('verbspec', fakeHost);
    const backend = await connect();
    const call = backend.call('ibv_alloc_pd', {});
    await assert.rejects(call, like(DutCrashed, /ended with exit code 3 in ibv_alloc_pd\(/, /complaint 99$/));
  });

  it('that hangs is killed, and replaced', async () => {
    (await serve()).install('verbspec', fakeHost);
    const backend = await connect(0.2);
    await assert.rejects(backend.call('ibv_resize_cq', { cq: 'cq#1' }), like(DutHung, /ibv_resize_cq.*within 2 s/));
    await backend.begin();
    assert.equal(backend.dut.kernel, 'session 2');
  });
});

describe('what is left on the far side', () => {
  it('ends with the connection, also a host that notices nothing', async () => {
    const server = await serve({ cutAt: 'ibv_resize_cq' });
    server.install('verbspec', fakeHost);
    const backend = await connect();
    await assert.rejects(backend.call('ibv_resize_cq', { cq: 'cq#1' }), like(DutLost));
    await server.idle();
  });

  it('ends with its host process, also a process that the provider has sent away', async () => {
    const server = await serve();
    server.install('verbspec', fakeHost);
    const backend = await connect(patience, 'verbspec', 'daemon');
    const { provider: pid } = backend.dut;
    assert.ok(isRunning(pid));
    await backend.close();
    await server.idle();
    assert.ok(!isRunning(pid));
  });
});

describe('a connection', () => {
  it('that is cut in a verb is the loss of the device, and it stays lost', async () => {
    const server = await serve({ cutAt: 'ibv_get_cq_event' });
    server.install('verbspec', fakeHost);
    const backend = await connect();
    const call = backend.call('ibv_get_cq_event', { channel: 'channel#1' });
    await assert.rejects(call, like(DutLost, /^the connection to tester@testhost ended.* in ibv_get_cq_event\(/));
    await server.close();
    await assert.rejects(backend.begin(), like(DutLost, /^no host process can be started on tester@testhost: /));
  });

  it('that goes silent is the loss of the device, and no hang of a verb', async () => {
    (await serve({ silentAt: 'ibv_get_cq_event' })).install('verbspec', fakeHost);
    const backend = await connect();
    const call = backend.call('ibv_get_cq_event', { channel: 'channel#1' });
    await assert.rejects(call, like(DutLost, /^the connection to tester@testhost ended \(Timeout/));
  });
});

describe('a far side that cannot be used', () => {
  it('is reported with the cause and a remedy: nobody listens', async () => {
    const server = await serve();
    await server.close();
    process.env.VERBSPEC_SSH_CONFIG = '/dev/null';
    const carrier = new RemoteCarrier({ destination: 'tester@localhost.invalid', folder: 'verbspec' });
    await assert.rejects(
      carrier.start(1),
      like(HarnessError, /on tester@localhost\.invalid: .*resolve/, /see whether `ssh/),
    );
  });

  it('lets nobody in', async () => {
    await serve({ acceptKey: false });
    await assert.rejects(connect(), like(HarnessError, /testhost: .*Permission denied/, /a key that asks for no pass/));
  });

  it('has a key that nobody knows', async () => {
    await serve({ isKnown: false });
    await assert.rejects(connect(), like(HarnessError, /Host key verification failed/, /connect once by hand/));
  });

  it('has no verbspec', async () => {
    await serve();
    await assert.rejects(connect(), like(HarnessError, /Cannot find module/, /clone verbspec to verbspec on tester@/));
  });

  it('has no Node.js', async () => {
    await serve({ env: { PATH: '/nonexistent' } });
    await assert.rejects(connect(), like(HarnessError, /node: not found/, /find Node\.js 20 or newer/));
  });

  it('has no such device', async () => {
    (await serve()).install('verbspec', fakeHost);
    await assert.rejects(connect(patience, 'verbspec', 'missing0'), /no RDMA device "missing0"; choose one/);
  });
});
