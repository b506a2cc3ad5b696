import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addonPath } from './addon';
import { FuzzedHost } from '../fixtures/fuzzed-host';
import { hostileLine } from '../fixtures/hostile-lines';
import { hostileRequest } from '../fixtures/hostile-requests';
import { LocalCarrier } from '../carriers/local-carrier';

/** Each run has the same cases. */
fc.configureGlobal({ seed: 20261121 });

const nodeArgs = [
  '--require',
  resolve(__dirname, '..', '..', '..', 'ci', 'typescript.js'),
  resolve(__dirname, 'host.ts'),
];

const skip = addonPath() === undefined ? 'the addon is not built' : false;

/** Greets a host process, does something with it, and lets it end; none of that may find anything wrong. */
async function asking(ask: (host: FuzzedHost) => Promise<string | undefined>): Promise<void> {
  const carrier = new LocalCarrier({ nodeArgs });
  const host = new FuzzedHost(await carrier.start(1), 1, new Map());
  try {
    assert.equal(await host.greet('none0'), undefined);
    assert.equal(await ask(host), undefined);
    assert.equal(await host.end(), undefined);
  } finally {
    await carrier.close();
  }
}

describe('a host process whose client asks anything', { skip }, () => {
  it('answers each request, and ends in order', async () => {
    const requests = fc.array(hostileRequest, { minLength: 100, maxLength: 400 });
    const property = fc.asyncProperty(requests, (asked) => asking((host) => host.ask(asked)));
    await fc.assert(property, { numRuns: 4, endOnFailure: true });
  });

  it('takes for JSON what the client does, and answers each line once', async () => {
    const lines = fc.array(hostileLine, { minLength: 200, maxLength: 400 });
    const asked = (each: readonly Buffer[]) => asking((host) => host.askLines(each));
    await fc.assert(fc.asyncProperty(lines, asked), { numRuns: 5, endOnFailure: true });
  });

  it('refuses a request that is cut at any byte', async () => {
    const whole = Buffer.from('{"jsonrpc":"2.0","id":"für","method":"leftovers","params":{"full":false,"a":[1.5e2]}}');
    const cuts = Array.from({ length: whole.length }, (_, at) => whole.subarray(0, at + 1));
    await asking((host) => host.askLines(cuts));
  });

  it('survives any member of a request that nests for ever', async () => {
    const deep = ['['.repeat(100_000) + ']'.repeat(100_000), '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)];
    const members = { jsonrpc: '"2.0"', id: '"line"', method: '"leftovers"', params: '{}', inTurn: 'true' };
    const lines = deep.flatMap((value) =>
      Object.keys(members).flatMap((name) => {
        const request = Object.entries({ ...members, [name]: value }).map(([key, text]) => `"${key}":${text}`);
        return [`{${request.join()}}`, `[{${request.join()}}]`];
      }),
    );
    await asking((host) => host.askLines(lines.map((line) => Buffer.from(line))));
  });

  it('survives lines that are nothing, and those that nest for ever', async () => {
    const carrier = new LocalCarrier({ nodeArgs });
    const process = await carrier.start(1);
    const host = new FuzzedHost(process, 1, new Map());
    try {
      assert.equal(await host.greet('none0'), undefined);
      const deep = '['.repeat(100_000);
      fc.assert(
        fc.property(
          fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constantFrom(deep, `{"params":${deep}`)),
          (text) => {
            process.input.write(`${text.replaceAll('"id"', '')}\n`);
          },
        ),
        { numRuns: 500 },
      );
      assert.equal(await host.ask([]), undefined);
      assert.equal(await host.end(), undefined);
    } finally {
      await carrier.close();
    }
  });
});
