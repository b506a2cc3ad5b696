import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { LocalCarrier } from '../carriers/local-carrier';
import type { HostProcess } from '../carriers/carrier';
import { maxLineBytes, type ProgramsAnswer } from '../protocol';
import { readLines } from '../../support/lines';
import { addonPath } from './addon';

const skip = addonPath() === undefined ? 'the addon is not built' : false;
const nodeArgs = ['--require', resolve(__dirname, '../../../ci/typescript.js'), resolve(__dirname, 'host.ts')];

interface Response {
  readonly id: string;
  readonly result?: ProgramsAnswer;
  readonly error?: { readonly code: number; readonly message: string };
}

type Struct = Readonly<Record<string, unknown>>;

const call = (verb: string, args: Struct, as?: string): Struct => ({
  call: verb,
  args,
  ...(as !== undefined && { as }),
});
const allocate = (length: unknown, as?: string): Struct => call('memory allocate', { length }, as);
const free = (name: string): Struct => call('memory free', { memory: { of: name } });
const settle = { settle: true };

describe('a host process without a device', { skip }, () => {
  const carrier = new LocalCarrier({ nodeArgs });
  const waiting = new Map<string, (response: Response) => void>();
  let host: HostProcess;
  let requests = 0;

  before(async () => {
    host = await carrier.start(1);
    const line = (text: string): void => {
      const response = JSON.parse(text) as Response;
      waiting.get(response.id)?.(response);
    };
    readLines(host.output, maxLineBytes, { line, tooLong: () => undefined }, () => undefined);
    await ask('hello', { session: 1, device: 'none0', portNum: 1, gidIndex: 0 });
  });
  after(() => carrier.close());

  function ask(method: string, params: unknown): Promise<Response> {
    const id = `1:${requests++}`;
    const answered = new Promise<Response>((done) => waiting.set(id, done));
    host.input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answered;
  }

  function execute(programs: unknown, more: Struct = {}): Promise<Response> {
    return ask('programs', { programs, names: {}, keep: [], goesOn: false, quietMs: 1, deadlineMs: 10_000, ...more });
  }

  /** What each call of a program has returned, handles without their numbers. */
  async function returned(...ops: Struct[]): Promise<unknown> {
    const { result, error } = await execute([ops]);
    assert.equal(error, undefined);
    const records = result?.runs[0]?.records as readonly ({ returned: unknown } | null)[] | undefined;
    return records?.map((record) => (record === null ? null : String(record.returned).replace(/#\d+/, '')));
  }

  it('executes a program, and leaves nothing of it', async () => {
    const at = { of: 'm', member: 'addr', plus: 2 };
    const write = call('memory write', { addr: at, bytes: 'abcd' });
    const read = call('memory read', { addr: { of: 'm', member: 'addr' }, length: 4 });
    const { result } = await execute([[allocate(4, 'm'), write, settle, read]]);
    const records = result?.runs[0]?.records as { verb: string; outputs: unknown; errno: number }[];
    assert.deepEqual(
      records.map(({ verb }) => verb),
      ['memory allocate', 'memory write', 'memory read'],
    );
    assert.deepEqual(records[2]?.outputs, { bytes: '0000abcd' });
    assert.deepEqual(result?.runs[0]?.cleanup, []);
    assert.deepEqual((await ask('leftovers', {})).result, []);
  });

  it('does not make a call that needs what was not made', async () => {
    const list = call('ibv_get_device_list', {}, 'list'); // NULL where there is no RDMA at all
    const needs = call('memory allocate', { length: { of: 'list', member: 'never' } });
    const [, second, third] = (await returned(list, needs, allocate(1))) as unknown[];
    assert.deepEqual([second, third], [null, 'memory']);
  });

  it('executes threads beside each other, with the records of one after those of the other', async () => {
    const par = { par: [[allocate(1, 'a'), settle, free('a')], [allocate(2, 'b'), settle, free('b')], [settle]] };
    assert.deepEqual(await returned(par, allocate(3)), ['memory', 'null', 'memory', 'null', 'memory']);
  });

  it('counts in the low 8 bits of an R_Key alone, and adds elsewhere', async () => {
    const names = { mw: { handle: null, outputs: { rkey: 0x1fa, other: 0x1fa } } };
    const of = (member: string): Struct => ({ of: 'mw', member, plus: 7 });
    const { result } = await execute([[allocate(of('rkey')), allocate(of('other'))]], { names });
    const records = result?.runs[0]?.records as { args: { length: number } }[];
    assert.deepEqual(
      records.map(({ args }) => args.length),
      [0x101, 0x201],
    );
  });

  it('keeps what later programs know', async () => {
    const { result } = await execute([[allocate(1, 'a'), allocate(1, 'b')], [free('a')]], { keep: ['a'] });
    assert.deepEqual(Object.keys(result?.runs[0]?.kept as Struct), ['a']);
    assert.deepEqual((result?.runs[1]?.records as { verb: string }[]).length, 1);
    assert.deepEqual((await ask('leftovers', {})).result, []);
  });

  it('lets a program go on in the next request, and leaves nothing of it at its end', async () => {
    const goesOn = { goesOn: true, keep: ['a'] };
    const write = call('memory write', { addr: { of: 'a', member: 'addr' }, bytes: 'abcd' });
    const read = call('memory read', { addr: { of: 'a', member: 'addr' }, length: 2 });
    const { result: first } = await execute([[allocate(2, 'a'), allocate(1), write]], goesOn);
    assert.deepEqual(first?.runs[0]?.cleanup, []);
    assert.equal(((await ask('leftovers', {})).result as unknown as unknown[]).length, 2);
    const { result: second } = await execute([[read, allocate(1)]], { ...goesOn, names: first.runs[0].kept });
    assert.deepEqual((second?.runs[0]?.records as { outputs: unknown }[])[0]?.outputs, { bytes: 'abcd' });
    const { result: third } = await execute([[settle, read]], { names: second?.runs[0]?.kept });
    assert.deepEqual((third?.runs[0]?.records as { outputs: unknown }[])[0]?.outputs, { bytes: 'abcd' });
    assert.deepEqual((await ask('leftovers', {})).result, []);
  });

  it('lets a program go on as the next one of the same request', async () => {
    const { result } = await execute([[allocate(1, 'a')], [free('a'), allocate(1)]], { goesOn: true, keep: ['a'] });
    assert.deepEqual(
      result?.runs.map(({ records }) => records?.length),
      [1, 2],
    );
    await execute([[]]);
    assert.deepEqual((await ask('leftovers', {})).result, []);
  });

  it('gives back the limits that a program has lowered when its last part has ended', async () => {
    // To read the taint a descriptor is needed.
    const taint = async (): Promise<unknown> =>
      ((await ask('leftovers', { full: true })).result as unknown as Struct).tainted;
    await execute([[call('setrlimit', { resource: 'RLIMIT_NOFILE', soft: 0 })]], { goesOn: true });
    assert.equal(await taint(), null);
    await execute([[settle]]);
    assert.equal(typeof (await taint()), 'number');
  });

  it('leaves nothing of a program that was to go on, and does not come to its end', async () => {
    const read = call('memory read', { addr: { of: 'm', member: 'addr' }, length: 1 });
    for (const ops of [
      [allocate(1), settle, settle],
      [allocate(1), allocate(1, 'm'), free('m'), read],
    ]) {
      await execute([ops], { goesOn: true, quietMs: 100, deadlineMs: 50 });
      assert.deepEqual((await ask('leftovers', {})).result, []);
    }
  });

  it('stops a program in its time', async () => {
    const { result } = await execute([[settle, settle, allocate(1)], [allocate(1)]], { quietMs: 300, deadlineMs: 50 });
    assert.deepEqual(
      result?.runs.map(({ late = false, hangs = false, records }) => [late, hangs, records?.[0] === null]),
      [
        [true, false, true],
        [false, false, false],
      ],
    );
  });

  it('leaves out calls of what is not there any more', async () => {
    assert.deepEqual(await returned(allocate(1, 'm'), free('m'), free('m'), allocate(1)), [
      'memory',
      'null',
      null,
      'memory',
    ]);
  });

  it('gives back the limits of the process that a program has lowered', async () => {
    const limit = { resource: 'RLIMIT_NOFILE', soft: 0 };
    const { result } = await execute([[call('setrlimit', limit)]]);
    assert.deepEqual(result?.runs[0]?.cleanup, []);
    const { result: left } = await ask('leftovers', { full: true });
    // To read the taint a descriptor is needed.
    assert.equal(typeof (left as unknown as Struct).tainted, 'number');
  });

  it('says at which operation a program ended that calls what it may not, and goes on with the next', async () => {
    const read = call('memory read', { addr: { of: 'm', member: 'addr' }, length: 1 });
    const { result } = await execute([[allocate(1, 'm'), free('m'), read], [allocate(-1)], [allocate(1)]]);
    const [freed, negative, good] = result?.runs ?? [];
    assert.equal(freed?.refused?.code, -32602);
    assert.match(freed.refused.message, /^program 0 op 2 \(memory read\): .* do not lie in allocated memory$/);
    assert.match(negative?.refused?.message ?? '', /^program 1 op 0 \(memory allocate\): parameter length must be/);
    assert.equal(good?.records?.length, 1);
  });

  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ['no list', {}, /^parameter programs must be a list$/],
    ['no program', [1], /^program 0 must be a list of operations$/],
    ['no operation', [[], [settle, 1]], /^program 1 op 1 must be a struct$/],
    ['an unknown operation', [[{ sleep: 1 }]], /^program 0 op 0 must be a call, settle or par$/],
    ['an unknown member', [[{ ...allocate(1), when: 1 }]], /^program 0 op 0 has the unknown member "when"$/],
    ['an unknown function', [[call('leftovers', {})]], /^program 0 op 0 calls "leftovers", which is unknown$/],
    ['a name with a space', [[allocate(1, 'a b')]], /op 0 \(memory allocate\) must have as its name small letters/],
    ['a circle', [[free('a'), allocate(1, 'a')]], /op 0 \(memory free\) refers to "a", which nothing before it makes$/],
    ['threads in threads', [[{ par: [[{ par: [[]] }]] }]], /op 0 thread 0 op 0 has threads within a thread$/],
    ['too many threads', [[{ par: [[], [], [], [], []] }]], /op 0 must have 1 to 4 threads$/],
    [
      'too many calls',
      [[...Array<Struct>(200).fill(allocate(1)), { par: [Array<Struct>(57).fill(allocate(1))] }]],
      /one call more than 256$/,
    ],
    ['too many operations', [Array<Struct>(257).fill(settle)], /^program 0 has more than 256 operations$/],
    ['too many programs', Array<Struct[]>(1025).fill([]), /at most 1024/],
  ];
  for (const [what, programs, message] of bad) {
    it(`refuses ${what}, and executes nothing`, async () => {
      const { error } = await execute(programs);
      assert.equal(error?.code, -32602);
      assert.match(error.message, message);
      assert.deepEqual((await ask('leftovers', {})).result, []);
    });
  }

  it('refuses conditions that no program has', async () => {
    const conditions: Struct[] = [
      { quietMs: 10_001 },
      { deadlineMs: 600_001 },
      { deadlineMs: -1 },
      { keep: [1] },
      { goesOn: 1 },
    ];
    const names: Struct[] = [{ names: [] }, { names: { a: 1 } }, { names: { a: { handle: 1, outputs: {} } } }];
    for (const more of [...conditions, ...names, { more: 1 }]) {
      assert.equal((await execute([[]], more)).error?.code, -32602, JSON.stringify(more));
    }
  });

  it('gives no more than fits into a line', async () => {
    const big = call('memory read', { addr: { of: 'm', member: 'addr' }, length: 4 * 1024 * 1024 });
    const { result } = await execute([[allocate(4 * 1024 * 1024, 'm'), big, big]]);
    assert.match(result?.runs[0]?.refused?.message ?? '', /op 1 \(memory read\): the records take more than a line/);
  });
});
