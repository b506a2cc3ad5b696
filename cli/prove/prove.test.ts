import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Proof } from '../../reports/proof/proof';
import { readProof } from '../../reports/proof/proof-file';
import { Command } from '../fixtures/command';
import { placeOf } from './prove-job';
import { ProvePool } from './prove-pool';

const out = mkdtempSync(join(tmpdir(), 'verbspec-prove-'));
const fixtures = join(__dirname, '..', 'fixtures');
const rule = 'ibv_modify_cq.returns-zero';

after(() => {
  rmSync(out, { recursive: true });
});

describe('verbspec prove', () => {
  it('names each fault that does not do what it is for, and fails', async () => {
    const faults = join(fixtures, 'unproved-faults.ts');
    const { code, stdout, stderr } = await Command.finished([
      'prove',
      rule,
      '--faults',
      faults,
      '--out',
      out,
      '--json',
      '--full', // no scenario stands for others, so that each rule is named
    ]);
    assert.equal(code, 1, stderr);
    const proof = JSON.parse(stdout) as Proof;
    assert.deepEqual(readProof(join(out, 'proof.json')), proof);
    assert.deepEqual(proof.rules, [{ id: rule, faults: ['caught', 'breaks-more'] }]);
    const wrong = new Map(proof.faults.map(({ name }) => [name, linesOf(proof, name)]));
    assert.deepEqual(wrong.get('caught'), []);
    assert.match(wrong.get('without-effect')?.join() ?? '', /is not caught by ibv_modify_cq\.returns-zero/);
    assert.match(
      wrong.get('breaks-more')?.join() ?? '',
      /breaks ibv_resize_cq\.returns-zero too, which its rules do not say/,
    );
    assert.match(wrong.get('ends-the-process')?.join() ?? '', /its process ended with exit code 7/);
  });

  it('refuses a rule that does not exist, and names the nearest', async () => {
    const { code, stderr } = await Command.finished(['prove', 'ibv_modify_cq.returns-zeros']);
    assert.equal(code, 2);
    assert.match(stderr, /did you mean ibv_modify_cq\.returns-zero\?/);
  });

  it('replaces nothing but a proof, and says so before it runs', async () => {
    const other = join(out, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'proof.json'), '{"of": "a theorem"}');
    const { code, stderr } = await Command.finished(['prove', rule, '--out', other]);
    assert.equal(code, 2);
    assert.match(stderr, /^verbspec: .*proof\.json is not from `verbspec prove`; name another folder with --out\n$/);
    assert.equal(readFileSync(join(other, 'proof.json'), 'utf8'), '{"of": "a theorem"}');
  });

  it('leaves no process behind when it is interrupted', async () => {
    const faults = join(fixtures, 'endless-fault.ts');
    const command = new Command(['prove', rule, '--faults', faults, '--out', out]);
    await command.said(/without a fault|fault 1 of 1: endless/);
    command.signal('SIGINT');
    assert.equal((await command.finish()).code, 130);
    await command.leavesNoProcess();
  });

  it('gives up a fault under which a scenario does not end', async () => {
    const module = join(fixtures, 'endless-fault.ts');
    const options = { workers: 1, histories: new Map(), onStart: () => undefined };
    const sound = new ProvePool({ ...options, module, silentMsMax: 60_000 });
    const [first] = await sound.run([{ kind: 'sound', paths: ['features/cq/ibv_modify_cq.feature'] }]);
    assert.ok(first?.kind === 'sound');
    const histories = new Map(first.scenarios.map((one) => [placeOf(one), one.history]));
    const trials = first.scenarios.map(({ uri, line }) => ({ uri, line, uptoVerbs: [] }));
    const pool = new ProvePool({ ...options, histories, module, silentMsMax: 3000 });
    const [result] = await pool.run([{ kind: 'fault', fault: 'endless', trials }]);
    assert.deepEqual(result, { kind: 'lost', why: 'a scenario did not end within 3 s' });
  });
});

function linesOf({ problems }: Proof, fault: string): string[] {
  return problems.filter((line) => line.startsWith(`fault ${fault} `));
}
