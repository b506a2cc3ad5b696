import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseVerdicts, type Verdicts } from '../../reports/judge/verdicts';
import type { RuleRow } from '../rules/rule-row';
import { inProcess } from '../fixtures/in-process';
import { authorityList } from './authorities';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-authorities-'));
let runs = 0;

after(() => {
  rmSync(folder, { recursive: true });
});

async function run(
  ...args: readonly string[]
): Promise<{ readonly stdout: string; readonly stderr: string; readonly verdicts: Verdicts }> {
  const out = join(folder, `run-${(runs += 1)}`);
  const { code, stdout, stderr } = await inProcess(['run', '--out', out, ...args]);
  assert.equal(code, 0, stderr);
  return { stdout, stderr, verdicts: parseVerdicts(readFileSync(join(out, 'verdicts.json'), 'utf8')) };
}

describe('the names of --authority', () => {
  it('are authorities, each once, the strongest first', () => {
    assert.deepEqual(authorityList('page'), ['page']);
    assert.deepEqual(authorityList('rdmamojo,page, rdmamojo'), ['page', 'rdmamojo']);
    assert.deepEqual(authorityList('posix', ['ibta']), ['posix', 'ibta']);
  });

  it('are refused with the nearest that there is', () => {
    assert.throws(() => authorityList('page,rdmamoj'), /There is no authority "rdmamoj"\. Did you mean rdmamojo\?/);
    assert.throws(
      () => authorityList('standard'),
      /no authority "standard"\. Name page, posix, ibta, rdmamojo, or several/,
    );
    assert.throws(() => authorityList('page,'), /no authority ""/);
  });
});

describe('verbspec run --authority', () => {
  it('runs the rules that rest on it, and says so', async () => {
    const { stdout, stderr, verdicts } = await run('ibv_get_cq_event', '--authority', 'rdmamojo,posix');
    assert.deepEqual(verdicts.authorities, ['posix', 'rdmamojo']);
    const found = new Set(verdicts.rules.map(({ authority }) => authority));
    assert.deepEqual([...found].sort(), ['posix', 'rdmamojo']);
    assert.match(stderr, /^verbspec: sim, device \w+, authority posix or rdmamojo$/m);
    assert.match(stdout, /authority\s+posix\s+or\s+rdmamojo/);
  });

  it('narrows what Cucumber selects too', async () => {
    const rule = 'ibv_req_notify_cq.one-shot';
    const { verdicts } = await run('ibv_req_notify_cq', '--authority', 'page', '--', '--tags', `@${rule}`);
    assert.deepEqual(
      verdicts.rules.map(({ id }) => id),
      [rule],
    );
  });

  for (const [what, args, problem] of [
    ['an authority that there is not', ['run', '--authority', 'ibtb'], /no authority "ibtb"\. Did you mean ibta\?/],
    ['an authority that no rule of a page has', ['run', 'ibv_resize_cq', '--authority', 'ibta'], /"ibv_resize_cq" has/],
    [
      'an authority that no clause listed has',
      ['rules', 'ibv_resize_cq', '--authority', 'ibta'],
      /the authority ibta;/,
    ],
    ['an authority beside --check', ['rules', '--check', '--authority', 'page'], /--check.*--authority/],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const { code, stderr } = await inProcess(args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, problem);
    });
  }
});

describe('verbspec rules --authority', () => {
  it('lists the clauses that rest on it', async () => {
    const { code, stdout } = await inProcess(['rules', '--json', '--authority', 'ibta']);
    assert.equal(code, 0);
    const rows = JSON.parse(stdout) as readonly RuleRow[];
    assert.ok(rows.length > 0);
    assert.deepEqual(
      rows.filter(({ authority, ibta }) => authority !== 'ibta' || ibta === undefined),
      [],
    );
  });
});
