import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { HarnessError, UsageError } from '../../contract';
import { methods } from '../../verbs';
import { addonPath } from './addon';
import type { HostExit, HostProcess } from '../carriers/carrier';
import { NativeBackend } from '../client/native-backend';
import { readLines } from '../../support/lines';
import { LocalCarrier } from '../carriers/local-carrier';
import { maxLineBytes } from '../protocol';

const nodeArgs = [
  '--require',
  resolve(__dirname, '..', '..', '..', 'ci', 'typescript.js'),
  resolve(__dirname, 'host.ts'),
];

const options = { device: 'none0', portNum: 1, gidIndex: 0, limits: { eventMs: 0, quietMs: 0 } };

const skip = addonPath() === undefined ? 'the addon is not built' : false;

const carriers: LocalCarrier[] = [];

function newCarrier(env: NodeJS.ProcessEnv = {}): LocalCarrier {
  const carrier = new LocalCarrier({ nodeArgs, env });
  carriers.push(carrier);
  return carrier;
}

afterEach(async () => {
  for (const carrier of carriers.splice(0)) await carrier.close();
});

interface Response {
  readonly id: string | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Starts a host, sends lines, and resolves when the host has ended. */
async function converse(lines: string[], after?: (host: HostProcess) => void): Promise<[Response[], HostExit]> {
  const host = await newCarrier().start(1);
  const responses: Response[] = [];
  const line = (text: string) => responses.push(JSON.parse(text) as Response);
  readLines(host.output, maxLineBytes, { line, tooLong: () => undefined }, () => undefined);
  host.input.on('error', () => undefined);
  for (const line of lines) host.input.write(`${line}\n`);
  if (after === undefined) host.input.end();
  else after(host);
  return [responses, await host.ended];
}

/** The first lines that a host writes in such an environment when it is greeted, and how it ended. */
async function firstLines(env: NodeJS.ProcessEnv, count: number): Promise<[string[], HostExit]> {
  const host = await newCarrier(env).start(1);
  const lines: string[] = [];
  const line = (text: string) => {
    if (lines.push(text) === count) setTimeout(() => host.input.end(), 50);
  };
  readLines(host.output, maxLineBytes, { line, tooLong: () => undefined }, () => undefined);
  host.input.write(`${hello(1)}\n`);
  return [lines, await host.ended];
}

const request = (id: number, method: string, params?: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id: `1:${id}`, method, params });

const hello = (session: number) => request(0, 'hello', { session, device: 'none0', portNum: 1, gidIndex: 0 });

/** The errors that the host answers after its `hello`. */
async function errorsOf(...lines: string[]): Promise<(Response['error'] | undefined)[]> {
  const [responses] = await converse([hello(1), ...lines]);
  assert.equal(responses.find(({ id }) => id === '1:0')?.error?.code, -32002);
  return responses.filter(({ id }) => id !== '1:0').map(({ error }) => error);
}

/** The results that the host answers after its `hello`. */
async function resultsOf(...lines: string[]): Promise<unknown[]> {
  const [responses] = await converse([hello(1), ...lines]);
  return responses.filter(({ id }) => id !== '1:0').map(({ result }) => result);
}

describe('a host process', { skip }, () => {
  it('does not know a device that is not there', async () => {
    const started = NativeBackend.start(newCarrier(), options);
    await assert.rejects(
      started,
      (error) => error instanceof UsageError && error.message.includes('no RDMA device "none0"'),
    );
  });

  it('ignores what comes before the hello of its session', async () => {
    const [responses] = await converse([
      'rubbish',
      '{"half": ',
      '[]',
      '"hello"',
      request(1, 'leftovers'),
      hello(7),
      hello(1),
      request(2, 'leftovers'),
    ]);
    assert.deepEqual(responses.map(({ id }) => id).sort(), ['1:0', '1:2']);
  });
});

describe('a host process that was greeted', { skip }, () => {
  it('refuses what is not a request', async () => {
    const errors = await errorsOf(
      'rubbish',
      '[]',
      '{"jsonrpc":"2.0","id":"1:1"}',
      '7',
      '{"id":1,"method":"leftovers"}',
      '{"jsonrpc":"2.0","id":{},"method":"leftovers"}',
      '{"jsonrpc":"2.0","id":1,"method":"leftovers","params":"full"}',
      '{"jsonrpc":"2.0","method":"leftovers"}',
      '['.repeat(1_000_000),
    );
    assert.deepEqual(
      errors.map((error) => error?.code),
      [-32700, -32600, -32600, -32600, -32600, -32600, -32600, -32600, -32700],
    );
  });

  it('goes on after a line that is nested deep', async () => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
    const [responses] = await converse([hello(1), deep, request(1, 'leftovers', { deep: 1 })]);
    assert.deepEqual(responses.at(-2)?.error?.code, -32700);
    assert.deepEqual(responses.at(-1)?.result, []);
  });

  it('refuses a second hello of another session', async () => {
    const [again] = await errorsOf(hello(7).replace('1:0', '1:1'));
    assert.match(again?.message ?? '', /this host is of session 1/);
  });

  it('opens no device that no hello has chosen, and lets nobody name another', async () => {
    const [unchosen, named] = await errorsOf(
      request(1, 'ibv_open_device', {}),
      request(2, 'ibv_open_device', { device: 'mlx5_0' }),
    );
    assert.match(unchosen?.message ?? '', /parameter device is missing/);
    assert.match(named?.message ?? '', /no hello has chosen a device/);
  });

  it('reports what is left of a scenario, and all of it where that is asked for', async () => {
    const [left, all] = (await resultsOf(
      request(1, 'leftovers', { full: false }),
      request(2, 'leftovers', { full: true }),
    )) as [unknown, { tainted: unknown }];
    assert.deepEqual(left, []);
    const tainted = Number(readFileSync('/proc/sys/kernel/tainted', 'utf8'));
    assert.deepEqual(all, { handles: [], files: [], resources: {}, tainted });
  });

  it('pauses until the next request, and reports its time', async () => {
    const [pause, left] = await resultsOf(request(1, 'pause', { ms: 3_600_000 }), request(2, 'leftovers'));
    assert.ok((pause as { nowUs: number }).nowUs > 0);
    assert.deepEqual(left, []);
    const [refused] = await errorsOf(request(1, 'pause', { ms: -1 }));
    assert.equal(refused?.code, -32602);
  });

  it('refuses methods that it lacks, also those that every object has', async () => {
    const errors = await errorsOf(request(1, 'ibv_bogus', {}), request(2, 'toString', {}), request(3, '__proto__', {}));
    assert.deepEqual(
      errors.map((error) => error?.code),
      [-32601, -32601, -32601],
    );
  });

  it('refuses handles that do not exist, and names them', async () => {
    const errors = await errorsOf(
      request(1, 'ibv_destroy_cq', { cq: 'cq#1' }),
      request(2, 'ibv_get_cq_event', { channel: 'channel#1' }),
      request(3, 'ibv_ack_async_event', { event: 'event#18446744073709551616' }),
    );
    assert.deepEqual(errors, [
      { code: -32001, message: 'cq#1 does not exist' },
      { code: -32001, message: 'channel#1 does not exist' },
      { code: -32001, message: 'event#18446744073709551616 does not exist' },
    ]);
  });

  it('refuses parameters of the wrong type', async () => {
    const errors = await errorsOf(
      request(1, 'ibv_destroy_cq', { cq: 1 }),
      request(2, 'ibv_destroy_cq', [1]),
      request(3, 'ibv_destroy_cq'),
      request(4, 'ibv_get_device_list', { more: 1 }),
      request(5, 'hello', { session: 1, device: 'none0', portNum: '1', gidIndex: 0 }),
      request(6, 'ibv_open_device', {}),
    );
    assert.deepEqual(
      errors.map((error) => error?.code),
      Array<number>(6).fill(-32602),
    );
  });
});

describe('the verbs that need no device', { skip }, () => {
  const text = (id: number, eventType: string | number) => request(id, 'ibv_event_type_str', { eventType });

  it('give the texts of enumerators by name, by number, and by a number that the header does not name', async () => {
    const results = await resultsOf(text(1, 'IBV_EVENT_CQ_ERR'), text(2, 0), text(3, 77));
    const [byName, byNumber, unnamed] = results as { returned: string; errno: number; outputs: { address: string } }[];
    assert.match(byName?.returned ?? '', /CQ/);
    assert.match(byName?.outputs.address ?? '', /^0x[0-9a-f]+$/);
    assert.deepEqual([byNumber?.returned, byNumber?.outputs], [byName?.returned, byName?.outputs]);
    assert.notEqual(unnamed?.returned, byName?.returned);
    assert.equal(unnamed?.errno, 0);
  });

  it('refuse an enumerator that does not fit the C type', async () => {
    const errors = await errorsOf(text(1, 2 ** 32), text(2, '4294967296'), text(3, 1.5), text(4, 'IBV_NONSENSE'));
    assert.deepEqual(
      errors.map((error) => error?.code),
      Array<number>(4).fill(-32602),
    );
  });

  it('bound the open files and lift the bound again', async () => {
    const limit = (id: number, soft: number | null) => request(id, 'setrlimit', { resource: 'RLIMIT_NOFILE', soft });
    const results = await resultsOf(limit(1, 3), limit(2, null));
    assert.deepEqual(
      results.map((result) => (result as { returned: number }).returned),
      [0, 0],
    );
  });
});

describe('the verbs of a host process', { skip }, () => {
  it('are those that drivers call', async () => {
    const errors = await errorsOf(...methods.map(([, { c: verb }], index) => request(index + 1, verb, {})));
    const unknown = errors.filter((error) => error?.code === -32601);
    assert.deepEqual(unknown, []);
  });
});

describe('the output of a host process', { skip }, () => {
  it('is its own once it has started: other prints go to stderr', async () => {
    const chatter = resolve(__dirname, '..', 'fixtures', 'chatter.js');
    const [lines, exit] = await firstLines({ NODE_OPTIONS: `--require ${chatter}` }, 2);
    assert.equal(lines[0], 'early');
    const own = lines.filter((text) => text.startsWith('{'));
    assert.equal(own.length, 1);
    assert.match(exit.stderrTail, /^late$/m);
  });

  it('says how to get libibverbs where that is missing, or another --rdma-core where that has a bad one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'verbspec-'));
    const refusal = /^the addon cannot be loaded: .*libibverbs\.so\.1.*; /.source;
    const remedies: readonly (readonly [NodeJS.ProcessEnv, string])[] = [
      [{}, 'run `apt-get install libibverbs1'],
      [{ RDMAV_DRIVERS: join(folder, 'librxe') }, 'name another folder with --rdma-core'],
    ];
    try {
      writeFileSync(join(folder, 'libibverbs.so.1'), '');
      for (const [env, remedy] of remedies) {
        const started = NativeBackend.start(newCarrier({ LD_LIBRARY_PATH: folder, ...env }), options);
        await assert.rejects(started, (error) => {
          assert.ok(error instanceof HarnessError);
          assert.match(error.message, new RegExp(refusal + remedy));
          return true;
        });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the end of a host process', { skip }, () => {
  it('comes with the end of its input', async () => {
    const [, exit] = await converse([]);
    assert.deepEqual(exit, { code: 0, signal: null, stderrTail: '' });
  });

  it('comes with a line that is too long', async () => {
    const [responses, exit] = await converse([hello(1), 'x'.repeat(maxLineBytes + 1)], () => undefined);
    assert.match(responses.at(-1)?.error?.message ?? '', /longer than/);
    assert.equal(exit.code, 3);
  });
});
