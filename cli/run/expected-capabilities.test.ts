import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseVerdicts, scenariosOf } from '../../reports/judge/verdicts';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-capabilities-'));
const lackingDriver = join(__dirname, '..', 'fixtures', 'lacking-driver.ts');
const rules = ['ibv_poll_cq.overrun-async-event', 'ibv_poll_cq.field-wr-id'];

after(() => {
  rmSync(folder, { recursive: true });
});

function run(name: string, ...args: string[]): { code: number | null; stdout: string; stderr: string; out: string } {
  const out = join(folder, name);
  const program = [join(__dirname, '..', 'verbspec.js'), 'run', ...args, '--out', out];
  const env = { ...process.env, JAVA_HOME: '/nonexistent' };
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { env, encoding: 'utf8' });
  return { code: status, stdout, stderr, out };
}

describe('verbspec run --expect-capabilities', () => {
  it('fails on a device that has lost what an earlier run had recorded', () => {
    const earlier = run('earlier', ...rules);
    assert.equal(earlier.code, 0, earlier.stderr);
    const record = join(earlier.out, 'verdicts.json');
    const again = run('again', ...rules, '--expect-capabilities', record);
    assert.equal(again.code, 0, again.stderr);

    const { code, stdout, out } = run('lost', ...rules, '--driver', lackingDriver, '--expect-capabilities', record);
    assert.equal(code, 1);
    assert.match(stdout, /missing: srq, which was expected/);
    const verdicts = parseVerdicts(readFileSync(join(out, 'verdicts.json'), 'utf8'));
    assert.deepEqual(verdicts.expectedCapabilities?.missing, ['srq']);
    assert.ok(scenariosOf(verdicts).some(({ detail }) => detail?.endsWith('lacks srq, and was expected to have it')));
    const results = readdirSync(join(out, 'allure-results')).filter((file) => file.endsWith('-result.json'));
    const statuses = results.map((file) => readFileSync(join(out, 'allure-results', file), 'utf8'));
    assert.equal(statuses.filter((text) => text.includes('"status":"failed"')).length, 1);
    assert.ok(run('unasked', ...rules, '--driver', lackingDriver).code === 0, 'what nobody expects is no loss');
  });

  it('refuses a file that is none with exit code 2', () => {
    const file = join(folder, 'file.json');
    writeFileSync(file, '{"capabilities":["teleport"]}');
    for (const [path, message] of [
      [file, /^verbspec: .*file\.json expects what is no capability: "teleport"; capabilities are .*srq, .*\n$/],
      [join(folder, 'nowhere'), /^verbspec: --expect-capabilities .* cannot be read: ENOENT.*\n$/],
    ] as const) {
      const { code, stderr } = run('refused', '--expect-capabilities', path);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
  });
});
