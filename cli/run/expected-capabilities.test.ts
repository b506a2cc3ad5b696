import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseVerdicts, scenariosOf } from '../../reports/judge/verdicts';
import type { CommandResult } from '../fixtures/command';
import { inProcess } from '../fixtures/in-process';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-capabilities-'));
const lackingDriver = join(__dirname, '..', 'fixtures', 'lacking-driver.ts');
const rules = ['ibv_poll_cq.overrun-async-event', 'ibv_poll_cq.field-wr-id'];

after(() => {
  rmSync(folder, { recursive: true });
});

async function run(name: string, ...args: string[]): Promise<CommandResult & { readonly out: string }> {
  const out = join(folder, name);
  return { ...(await inProcess(['run', ...args, '--out', out])), out };
}

describe('verbspec run --expect-capabilities', () => {
  it('fails on a device that has lost what an earlier run had recorded', async () => {
    const earlier = await run('earlier', ...rules);
    assert.equal(earlier.code, 0, earlier.stderr);
    const record = join(earlier.out, 'verdicts.json');
    const again = await run('again', ...rules, '--expect-capabilities', record);
    assert.equal(again.code, 0, again.stderr);

    const { code, stdout, out } = await run(
      'lost',
      ...rules,
      '--driver',
      lackingDriver,
      '--expect-capabilities',
      record,
    );
    assert.equal(code, 1);
    assert.match(stdout, /missing: srq, which was expected/);
    const verdicts = parseVerdicts(readFileSync(join(out, 'verdicts.json'), 'utf8'));
    assert.deepEqual(verdicts.expectedCapabilities?.missing, ['srq']);
    assert.ok(scenariosOf(verdicts).some(({ detail }) => detail?.endsWith('lacks srq, and was expected to have it')));
    const results = readdirSync(join(out, 'allure-results')).filter((file) => file.endsWith('-result.json'));
    const statuses = results.map((file) => readFileSync(join(out, 'allure-results', file), 'utf8'));
    assert.equal(statuses.filter((text) => text.includes('"status":"failed"')).length, 1);
    assert.equal(
      (await run('unasked', ...rules, '--driver', lackingDriver)).code,
      0,
      'what nobody expects is not a loss',
    );
  });

  it('refuses a file that is none with exit code 2', async () => {
    const file = join(folder, 'file.json');
    writeFileSync(file, '{"capabilities":["teleport"]}');
    for (const [path, message] of [
      [file, /^verbspec: .*file\.json lists unknown capabilities: "teleport"; the capabilities are .*srq, .*\n$/],
      [join(folder, 'nowhere'), /^verbspec: --expect-capabilities .* cannot be read: ENOENT.*\n$/],
    ] as const) {
      const { code, stderr } = await run('refused', '--expect-capabilities', path);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
  });
});
