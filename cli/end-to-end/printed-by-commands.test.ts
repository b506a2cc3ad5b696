import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { assertPrintable } from '../../reports/fixtures/hostile-text';
import { inProcess } from '../fixtures/in-process';

const evil = '\u001b]0;title\u0007\u202e\n::stop-commands::t\n##[error]x';

describe('what commands print', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbspec-printed-'));
  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('does not steer who reads it, whatever the device is called', async () => {
    const out = join(folder, 'run');
    const driver = join(__dirname, '..', 'fixtures', 'steering-driver.ts');
    const args = ['run', '--driver', driver, 'ibv_req_notify_cq.one-shot', '--out', out];
    const { stdout, stderr } = await inProcess(args);
    assert.match(stderr, /^looking at rxe0 : :stop-commands::t # #\[error\]x$/m);
    assert.match(stderr, /^verbspec: .*, device rxe0 : :stop-commands::t # #\[error\]x$/m);
    for (const text of [stdout, stderr]) assertPrintable(text);
    const results = readdirSync(join(out, 'allure-results')).map((file) => join('allure-results', file));
    for (const file of ['verdicts.json', 'junit.xml', 'results.ktap', 'kernel.log', ...results]) {
      assertPrintable(readFileSync(join(out, file), 'utf8'));
    }
    for (const command of ['compare', 'spec-book']) {
      const told = await inProcess([command, out, '--out', join(folder, command)]);
      for (const text of [told.stdout, told.stderr]) assertPrintable(text);
    }
  });

  const echoed: Readonly<Record<string, readonly string[]>> = {
    'a command': [evil],
    'an option': ['run', `--${evil}`],
    'a value': ['run', '--mtu', evil],
    'an order': ['run', '--order', evil],
    'a selector': ['run', evil],
    'a driver': ['run', '--driver', evil],
    'a run': ['compare', evil],
    'an option of Cucumber': ['run', '--', `--${evil}`],
    'a file of faults': ['prove', '--faults', evil],
  };
  for (const [what, args] of Object.entries(echoed)) {
    it(`does not steer who reads it, where ${what} is refused`, async () => {
      const { code, stdout, stderr } = await inProcess(args);
      assert.equal(code, 2);
      assert.match(stderr, /stop-commands/);
      for (const text of [stdout, stderr]) assertPrintable(text);
    });
  }
});
