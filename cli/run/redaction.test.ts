import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseVerdicts } from '../../reports/judge/verdicts';
import type { CommandResult } from '../fixtures/command';
import { inProcess } from '../fixtures/in-process';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-redaction-'));
const driver = join(__dirname, '..', 'fixtures', 'addressed-driver.ts');
const rule = 'ibv_poll_cq.overrun-async-event';

after(() => {
  rmSync(folder, { recursive: true });
});

/** With Java, whose report may contain what nothing else does. */
function run(...args: string[]): Promise<CommandResult> {
  return inProcess(['run', rule, ...args], {});
}

/** The text of all files below a folder, and what the HTML of a report holds in base64. */
function textsIn(path: string): string[] {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap((entry) => {
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    const inside = entry.name.endsWith('.html') ? [...text.matchAll(/'([A-Za-z0-9+/=]{20,})'/g)] : [];
    return [text, ...inside.map(([, data = '']) => Buffer.from(data, 'base64').toString('utf8'))];
  });
}

const secrets = /5a54:00ff|5a5400|58:54:00|192\.168\.77|5854:ff/i;

describe('verbspec run --redact', () => {
  it('writes no address, and the same pseudonym for the same thing', async () => {
    const out = join(folder, 'redacted');
    const { code, stdout, stderr } = await run('--driver', driver, '--redact', '--out', out);
    assert.equal(code, 0, stderr);
    for (const text of [stdout, ...textsIn(out)]) assert.doesNotMatch(text, secrets);
    const { dut, redacted, rules } = parseVerdicts(readFileSync(join(out, 'verdicts.json'), 'utf8'));
    assert.deepEqual(
      [redacted, dut.hcaId, dut.nodeGuid, rules[0]?.verdict],
      [true, 'rocexguid-1', 'guid-1', 'conforms'],
    );
    const log = readFileSync(join(out, 'kernel.log'), 'utf8');
    assert.match(log, /^\[ {3}12\.345678\] eth0: mac-1 is ip-\d or ip-\d$/m);
    if (hostname().length > 3) assert.doesNotMatch(readFileSync(join(out, 'messages.ndjson'), 'utf8'), hostPattern());
  });

  it('would write them otherwise', async () => {
    const out = join(folder, 'plain');
    assert.equal((await run('--driver', driver, '--out', out)).code, 0);
    assert.ok(textsIn(out).filter((text) => secrets.test(text)).length > 3);
    assert.ok(!('redacted' in parseVerdicts(readFileSync(join(out, 'verdicts.json'), 'utf8'))));
  });

  it('refuses reports of Cucumber, which it cannot redact', async () => {
    for (const format of [
      ['--format', 'json:x.json'],
      ['-f', 'html'],
      ['--format=progress'],
      ['-fmessage:x.ndjson'],
      ['-bfjson:x.json'],
      ['--publish'],
      ['--plugin', 'x'],
    ]) {
      const { code, stderr } = await run('--redact', '--out', join(folder, 'refused'), '--', ...format);
      assert.equal(code, 2);
      assert.match(stderr, /^verbspec: --redact hides nothing of what Cucumber writes with /);
    }
  });
});

function hostPattern(): RegExp {
  return new RegExp(`"[^"]*\\b${hostname().replace(/\W/g, '\\$&')}\\b[^"]*"`);
}
