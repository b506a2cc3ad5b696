import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addonPath } from './addon';
import { FuzzedHost } from './fixtures/fuzzed-host';
import { hostileRequest } from './fixtures/hostile-requests';
import { LocalCarrier } from './local-carrier';

/** Each run has the same cases. */
fc.configureGlobal({ seed: 20261121 });

const nodeArgs = ['--require', resolve(__dirname, '../../ci/typescript.js'), resolve(__dirname, 'host.ts')];

const skip = addonPath() === undefined ? 'the addon is not built' : false;

describe('a host process whose client asks anything', { skip }, () => {
  it('answers each request, and ends in order', async () => {
    const requests = fc.array(hostileRequest, { minLength: 100, maxLength: 400 });
    const property = fc.asyncProperty(requests, async (asked) => {
      const carrier = new LocalCarrier({ nodeArgs });
      const host = new FuzzedHost(await carrier.start(1), 1, new Map());
      try {
        assert.equal(await host.greet('none0'), undefined);
        assert.equal(await host.ask(asked), undefined);
        assert.equal(await host.end(), undefined);
      } finally {
        await carrier.close();
      }
    });
    await fc.assert(property, { numRuns: 4, endOnFailure: true });
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
