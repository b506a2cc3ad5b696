import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { UsageError } from './contract';
import { driverNames, loadDriver } from './registry';

describe('the drivers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-drivers-'));

  after(() => {
    rmSync(folder, { recursive: true });
  });

  function refusalOf(name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, text);
    try {
      loadDriver(path);
    } catch (error) {
      if (error instanceof UsageError) return error.message;
      throw error;
    }
    return assert.fail('the module was loaded');
  }

  it('are loaded by name', () => {
    for (const name of driverNames) assert.equal(typeof loadDriver(name), 'function');
    for (const name of ['nope', 'constructor']) assert.throws(() => loadDriver(name), UsageError);
  });

  it('that cannot be loaded are refused in a line with the cause', () => {
    const refusals: readonly (readonly [string, string, RegExp])[] = [
      ['broken.ts', 'export const = 1;', /broken\.ts cannot be loaded: Unexpected token `=`/],
      ['throws.js', "throw new Error('no licence\\nnor anything else');", /cannot be loaded: no licence; fix/],
      ['lacks.js', "require('./nothing');", /cannot be loaded: Cannot find module '\.\/nothing'; fix/],
      ['nothing.js', 'module.exports = undefined;', /exports no createDriver\(\)/],
      ['empty.js', 'exports.createDriver = 1;', /exports no createDriver\(\)/],
    ];
    for (const [name, text, message] of refusals) {
      const refusal = refusalOf(name, text);
      assert.match(refusal, message);
      assert.doesNotMatch(refusal, /\n/);
    }
  });
});
