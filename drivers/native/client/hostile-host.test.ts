import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DutCrashed, DutHung, HarnessError, VerbsError, type Driver } from '../../contract';
import { VerbsDriver } from '../../pipeline/verbs-driver';
import type { Carrier, HostExit, HostProcess } from '../carriers/carrier';
import { NativeBackend } from './native-backend';
import { hostileLine } from '../fixtures/hostile-lines';
import { readLines } from '../../support/lines';
import { maxLineBytes } from '../protocol';

/** Each run has the same cases. */
fc.configureGlobal({ seed: 20261121 });

/** What a host does with a request: what it writes for it, and whether it ends then. */
interface Reaction {
  readonly text: (id: string) => string;
  readonly ends: boolean;
}

/** A host in this process that does what a script says, and ends when the script does. */
class ScriptedCarrier implements Carrier {
  constructor(readonly script: readonly Reaction[]) {}

  start(): Promise<HostProcess> {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let end: (exit: HostExit) => void = () => undefined;
    const ended = new Promise<HostExit>((resolve) => (end = resolve));
    const kill = (): void => {
      output.end();
      end({ code: 0, signal: null, stderrTail: '' });
    };
    const reactions = this.script[Symbol.iterator]();
    const line = (text: string): void => {
      const reaction = reactions.next().value;
      const { id } = JSON.parse(text) as { id: string };
      if (reaction !== undefined && output.writable) output.write(Buffer.from(reaction.text(id), 'latin1'));
      if (reaction?.ends !== false) kill();
    };
    readLines(input, maxLineBytes, { line, tooLong: kill }, kill);
    return Promise.resolve({ input, output, ended, kill });
  }

  kernelLog(): string {
    return '';
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const dut = {
  hcaId: 'fake0',
  transport: '',
  fwVer: '',
  nodeGuid: '',
  vendorId: 0,
  vendorPartId: 0,
  hwVer: 0,
  physPortCnt: 1,
  port: { portNum: 1, state: '', linkLayer: '', maxMtu: 1, activeMtu: 1, lid: 0, gidIndex: 0, gid: '', netdev: '' },
  provider: '',
  kernel: '',
  rdmaCore: '',
};

const answer = (result: string): Reaction => ({
  text: (id) => `{"jsonrpc":"2.0","id":"${id}","result":${result}}\n`,
  ends: false,
});

const goodHello = answer(JSON.stringify(dut));

const depth = 100_000;

/** JSON text, also such as JSON.stringify never writes. */
const jsonText: fc.Arbitrary<string> = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.constantFrom('1e999', '-1e999', '1.5', '-0', '"0xffffffffffffffffff"', '"0x1f"', '{"__proto__":{"a":1}}', 'null'),
  fc.constant('["0x1",'.repeat(depth) + '1' + ']'.repeat(depth)),
  fc.constant('['.repeat(depth) + ']'.repeat(depth)),
  fc.constant('{"a":'.repeat(depth) + '"0x1"' + '}'.repeat(depth)),
);

const members = [
  'returned',
  'errno',
  'outputs',
  'startedAt',
  'durationUs',
  'wc',
  'cq',
  'maxCqe',
  'constructor',
  'then',
];

/** A raw result in which everything may be anything. */
const rawResult: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.constantFrom(...members), jsonText), { maxLength: 8 })
  .map((entries) => {
    const good: [string, string][] = [
      ['returned', '"context#1"'],
      ['errno', '0'],
      ['outputs', '{"wc":[],"numCompVectors":1,"maxCqe":7}'],
      ['startedAt', '1'],
      ['durationUs', '1'],
    ];
    return `{${[...good, ...entries].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
  });

/** What is not an answer to the request: the host ends after it, so that nobody waits for a deadline. */
const noAnswer: fc.Arbitrary<Reaction> = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    jsonText.map((text) => `${text}\n`),
    hostileLine.map((line) => `${line.toString('latin1')}\n`),
    jsonText.map((text) => `{"jsonrpc":"2.0","id":null,"error":${text}}\n`),
    jsonText.map((text) => `{"jsonrpc":"2.0","id":${text},"result":1}\n`),
    fc.constant('{"jsonrpc":"2.0","id":"1:1","result":{}}\n'.repeat(3)),
    fc.constant('{"jsonrpc":"2.0","id":"1:2","resu'),
  )
  .map((text) => ({ text: () => text, ends: true }));

const errorAnswer: fc.Arbitrary<Reaction> = jsonText.map((text) => ({
  text: (id) => `{"jsonrpc":"2.0","id":"${id}","error":{"code":${text},"message":${text},"data":${text}}}\n`,
  ends: true,
}));

const reaction: fc.Arbitrary<Reaction> = fc.oneof(
  { weight: 4, arbitrary: rawResult.map(answer) },
  jsonText.map(answer),
  noAnswer,
  errorAnswer,
);

/** What may become of a call: it returns, the verb refuses, or one of the errors of the contract says why not. */
function assertOfContract(error: unknown): void {
  const isKnown = [HarnessError, VerbsError, DutCrashed, DutHung].some((type) => error instanceof type);
  assert.ok(isKnown, error instanceof Error ? error.stack : String(error));
}

async function scenario(driver: Driver): Promise<void> {
  await driver.begin();
  const context = await driver.openDevice(driver.dut.hcaId);
  await driver.queryDevice(context);
  const cq = { handle: 'cq#1', cqe: 1 };
  await Promise.all([driver.pollCq(cq, 4), driver.getCqEvent({ handle: 'channel#1' }), driver.readCq(cq)]);
  await driver.end();
}

async function converse(script: readonly Reaction[]): Promise<void> {
  const limits = { eventMs: 1, quietMs: 1 };
  let backend: NativeBackend | undefined;
  try {
    const options = { device: 'fake0', portNum: 1, gidIndex: 0, limits };
    backend = await NativeBackend.start(new ScriptedCarrier(script), options);
    const driver = new VerbsDriver(backend, limits);
    await scenario(driver).catch(assertOfContract);
    JSON.stringify(driver.trace(), (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    JSON.stringify(driver.dut);
  } catch (error) {
    assertOfContract(error);
  } finally {
    await backend?.close();
  }
}

describe('a client whose host answers anything', () => {
  it('reports it as an error of the contract, and goes on', async () => {
    const script = fc.array(reaction, { maxLength: 8 }).map((reactions) => [goodHello, ...reactions]);
    await fc.assert(fc.asyncProperty(script, converse), { numRuns: 400 });
  });

  it('takes an answer that is cut at any byte for none', async () => {
    const whole = goodHello.text('1:1');
    for (let at = 0; at < whole.length - 1; at++) {
      for (const end of ['', '\n']) await converse([{ text: () => whole.slice(0, at) + end, ends: true }]);
    }
  });

  it('takes no description of a device that is none', async () => {
    const damaged = fc.tuple(fc.constantFrom(...Object.keys(dut)), jsonText).map(([name, value]) => {
      const others = Object.entries(dut).filter(([other]) => other !== name);
      const text = [
        ...others.map(([other, good]) => `"${other}":${JSON.stringify(good)}`),
        `"${name}":${value}`,
      ].join();
      return [answer(`{${text}}`)];
    });
    const script = fc.oneof(
      damaged,
      reaction.map((one) => [one]),
    );
    // Before a host was heard, rubbish is taken for remains of an earlier one, so this one ends after it.
    const ending = script.map((reactions) => reactions.map((one) => ({ ...one, ends: true })));
    await fc.assert(fc.asyncProperty(ending, converse), { numRuns: 300 });
  });

  /** What becomes of a start whose `hello` has this answer. */
  async function startFailure(reaction: Reaction): Promise<string> {
    const options = { device: 'fake0', portNum: 1, gidIndex: 0, limits: { eventMs: 1, quietMs: 1 } };
    const starting = NativeBackend.start(new ScriptedCarrier([{ ...reaction, ends: true }]), options);
    const error: unknown = await starting.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof HarnessError, String(error));
    return error.message;
  }

  const endless: Readonly<Record<string, unknown>> = {
    'a text': { fwVer: 'x'.repeat(4_000_000) },
    'a list': { more: Array.from({ length: 500_000 }, () => '') },
    'names of members': { module: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`name${at}`, 0])) },
  };
  for (const [what, members] of Object.entries(endless)) {
    it(`takes no description of a device with ${what} without an end, and says so in a line`, async () => {
      const message = await startFailure(answer(JSON.stringify(Object.assign({}, dut, members))));
      assert.match(
        message,
        /^the host gave a malformed answer to hello: it has too (much text|many values): .{1,201}$/,
      );
    });
  }

  it('reports an error without an end in a line', async () => {
    const words = JSON.stringify('\u001bcno\n\0 device'.repeat(100_000));
    const error = `{"code":1,"message":${words},"data":{"remedy":${words}}}`;
    const message = await startFailure({
      text: (id) => `{"jsonrpc":"2.0","id":"${id}","error":${error}}\n`,
      ends: true,
    });
    assert.match(message, /^the host refused hello: (no device){4}[\w ]+… \(1\); (no device){4}[\w ]+…$/);
    assert.ok(message.length < 1200);
  });
});
