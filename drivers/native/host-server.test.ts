import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, it } from 'node:test';
import type { RawResult } from '../backend';
import type { TraceStruct } from '../contract';
import type { Addon, VerbSet } from './addon';
import { HostServer } from './host-server';
import { errorCodes, maxLineBytes } from './protocol';

const session = 7;

const done = (returned: RawResult['returned'], outputs: TraceStruct = {}): RawResult => ({
  returned,
  errno: 0,
  outputs,
  startedAt: 0,
  durationUs: 0,
});

/** The addon where there is no device: it refuses with its own codes, blocks, and throws what nobody expects. */
class FakeAddon implements Addon {
  readonly enumerations = {};
  readonly asked: TraceStruct[] = [];
  readonly #verbs: VerbSet['verbs'] = {
    ibv_get_device_list: () => done('list', { devices: [] }),
    ibv_open_device: (params) => {
      this.asked.push(params);
      return done('context#1');
    },
    ibv_destroy_cq: () => Promise.resolve(done(0)),
    ibv_destroy_qp: () => Promise.reject(new Error('it came late')),
    ibv_poll_cq: () => {
      throw Object.assign(new Error('cq#9 is no CQ'), { code: 'badHandle' });
    },
    ibv_post_send: () => {
      throw Object.assign(new Error('wr is missing'), { code: 'badParams' });
    },
    ibv_reg_mr: () => {
      throw new Error('a defect');
    },
  };

  createVerbs(): VerbSet {
    return { verbs: this.#verbs, leftovers: () => ['cq#2'], providerPath: () => null };
  }
  claimStdout(): number {
    return 1;
  }
  writeLine(): void {
    throw new Error('the server writes through what it was given');
  }
  exit(): never {
    throw new Error('the server does not end the process');
  }
  readLines(): void {
    throw new Error('the server does not read');
  }
  resourceCounts(): null {
    return null;
  }
  openRdmaFiles(): string[] {
    return ['/dev/infiniband/uverbs0'];
  }
  kernelTaint(): number {
    return 512;
  }
  libraryPath(): null {
    return null;
  }
}

interface Answer {
  readonly id: string | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const request = (id: string, method: string, params?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const hello = (of = session): string =>
  request('hello', 'hello', { session: of, device: 'none0', portNum: 1, gidIndex: 0 });

/** What the server answers to lines, in the order of its answers. */
async function answersTo(...lines: string[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  const server = new HostServer(new FakeAddon(), session, (text) => answers.push(JSON.parse(text) as Answer));
  for (const line of lines) server.receive(line);
  await turn();
  return answers;
}

/** The answer to a request after a greeting. */
async function answerTo(line: string): Promise<Answer | undefined> {
  return (await answersTo(hello(), line)).find(({ id }) => id !== 'hello');
}

describe('the server of a host process', () => {
  it('is silent until it is greeted by its own client: what comes before is of an earlier session', async () => {
    const strays = ['{"half": ', request('1', 'leftovers'), hello(session - 1), '[]', '"hello"', '7'];
    assert.deepEqual(await answersTo(...strays), []);
    const ids = (await answersTo(...strays, request('2', 'leftovers'), hello())).map(({ id }) => id);
    assert.deepEqual(ids, ['hello']);
  });

  it('tells a device that is not there', async () => {
    const [answer] = await answersTo(hello());
    assert.equal(answer?.error?.code, errorCodes.noDevice);
  });

  it('refuses a second greeting of another session', async () => {
    const answer = await answerTo(hello(session + 1).replace('"hello"', '"again"'));
    assert.match(answer?.error?.message ?? '', /this host is of session 7/);
  });

  it('refuses what is no JSON and what is no request, and goes on', async () => {
    for (const [line, code] of [
      ['{', -32700],
      ['7', -32600],
      ['[]', -32600],
      [JSON.stringify({ id: 1, method: 'leftovers' }), -32600],
      [JSON.stringify({ jsonrpc: '2.0', id: {}, method: 'leftovers' }), -32600],
      [JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'leftovers', params: 'full' }), -32600],
      [request('1', 'ibv_teleport'), -32601],
    ] as const)
      assert.equal((await answerTo(line))?.error?.code, code, line);
    const last = (await answersTo(hello(), '{', request('1', 'leftovers'))).find(({ id }) => id === '1');
    assert.deepEqual(last?.result, ['cq#2']);
  });

  it('answers a verb when it has returned, however late', async () => {
    const ids = (await answersTo(hello(), request('late', 'ibv_destroy_cq'), request('1', 'leftovers')))
      .map(({ id }) => id)
      .filter((id) => id !== 'hello');
    assert.deepEqual(ids, ['1', 'late']);
  });

  it('tells by its code what was wrong: the handle, the parameters, or the host', async () => {
    for (const [verb, code, message] of [
      ['ibv_poll_cq', errorCodes.badHandle, 'cq#9 is no CQ'],
      ['ibv_post_send', -32602, 'wr is missing'],
      ['ibv_reg_mr', -32603, 'a defect'],
      ['ibv_destroy_qp', -32603, 'it came late'],
    ] as const) {
      assert.deepEqual((await answerTo(request('1', verb)))?.error, { code, message }, verb);
    }
  });

  it('opens no device that no greeting has chosen, and lets nobody name another', async () => {
    for (const [params, message] of [
      [{}, /no hello has chosen a device/],
      [{ device: 'mlx5_0' }, /unknown parameter device/],
    ] as const) {
      const answer = await answerTo(request('1', 'ibv_open_device', params));
      assert.equal(answer?.error?.code, -32602);
      assert.match(answer.error.message, message);
    }
  });

  it('tells all that is left of a scenario where that is asked for', async () => {
    const answer = await answerTo(request('1', 'leftovers', { full: true }));
    const files = ['/dev/infiniband/uverbs0'];
    assert.deepEqual(answer?.result, { handles: ['cq#2'], files, resources: {}, tainted: 512 });
  });

  it('tells that a line was too long', () => {
    const answers: string[] = [];
    new HostServer(new FakeAddon(), session, (text) => answers.push(text)).refuseLongLine();
    assert.match(answers.join('\n'), new RegExp(`longer than ${maxLineBytes} bytes`));
  });
});
