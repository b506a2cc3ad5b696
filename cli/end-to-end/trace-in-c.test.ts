import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { inProcess } from '../fixtures/in-process';
import { withoutJava } from '../fixtures/command';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-trace-'));
const rule = 'ibv_poll_cq.overrun-cq-unusable';
const fault = 'overrun-is-forgotten';

after(() => {
  rmSync(folder, { recursive: true });
});

/** The command after `Again:`, without its first words. */
function wordsAgain(text: string): string[] {
  const [, words = ''] = /^ *Again: +npx verbspec (.*)$/m.exec(text) ?? [];
  return words.split(' ');
}

describe('a failure that a run reports', () => {
  const out = join(folder, 'out');
  let stdout = '';

  before(async () => {
    const options = ['--fault', fault, '--order', 'reverse', '--out', out];
    const ended = await inProcess(['run', rule, ...options], withoutJava);
    assert.equal(ended.code, 1, ended.stderr);
    stdout = ended.stdout;
  });

  it('has its CQEs in C, and its objects by the names of the scenario', () => {
    assert.match(stdout, /^ +Observed: \[\{ \.wr_id = 0x[0-9a-f]+, \.status = IBV_WC_SUCCESS \}\]$/m);
    assert.match(stdout, /ibv_poll_cq\(small_cq, 4, wc\) = 1\n +wc\[0\] = \{ \.wr_id = 0x[0-9a-f]+,\n/);
    assert.doesNotMatch(stdout, /overflowed|vendor_err|numEntries/);
  });

  it('has its calls below the steps that made them', () => {
    assert.match(
      stdout,
      /\n {4}When QP "client" tries to send wr_id 0xfeedfacecafebeef\n.* ibv_post_send\(client, wr, bad_wr\) = 0\n/,
    );
    assert.match(
      stdout,
      /\n {4}Then CQ "small_cq" reports no completion of that message\n.* ibv_poll_cq\(small_cq, 4, wc\) = 1\n/,
    );
  });

  it('has all of them in a file to read', () => {
    const [name = '', ...others] = readdirSync(join(out, 'trace')).filter((file) => file.endsWith('.txt'));
    assert.deepEqual(others, []);
    const text = readFileSync(join(out, 'trace', name), 'utf8');
    assert.match(text, /^start ms.*\nGiven a CQ "send_cq"\n.* ibv_open_device\("sim0"\) = context#1 /);
    assert.match(
      text,
      /\n\w+ a CQ "small_cq" of 4 entries\n.* ibv_create_cq\(context#1, 4, 0x0, NULL, 0\) = small_cq /,
    );
  });

  it('has that file behind its cell of the matrix', async () => {
    const matrix = join(folder, 'matrix.html');
    const { code, stderr } = await inProcess(['compare', '--format', 'html', '--out', matrix, out]);
    assert.equal(code, 0, stderr);
    assert.match(readFileSync(matrix, 'utf8'), /href="[^"]*trace\/ibv_poll_cq-\d+\.txt"/);
  });

  it('has the command that runs it again, with the options that matter to it', async () => {
    const words = wordsAgain(stdout);
    assert.deepEqual([words[0], ...words.slice(2)], ['run', '--fault', fault]);
    const again = await inProcess([...words, '--out', join(folder, 'again')], withoutJava);
    assert.equal(again.code, 1, again.stderr);
    assert.match(again.stdout, /^1 scenario: 1 fail$/m);
  });

  it('has that command in JUnit and in Allure too, and not in the verdicts', () => {
    const results = readdirSync(join(out, 'allure-results')).filter((name) => name.endsWith('-result.json'));
    const texts = [join(out, 'junit.xml'), ...results.map((name) => join(out, 'allure-results', name))];
    for (const text of texts)
      assert.match(readFileSync(text, 'utf8'), /Again: {4}npx verbspec run \S+ --fault overrun/);
    assert.doesNotMatch(readFileSync(join(out, 'verdicts.json'), 'utf8'), /"options"|npx/);
  });
});

it('the command that runs a redacted scenario again names no folder of a person', async () => {
  const listed = join(folder, 'own.json');
  writeFileSync(listed, '{ "schemaVersion": 2, "deviations": [] }');
  const args = ['run', rule, '--fault', fault, '--redact', '--deviations', listed, '--out', join(folder, 'redacted')];
  const { stdout, stderr } = await inProcess(args, { ...withoutJava, HOME: folder });
  assert.match(stdout, /--fault overrun-is-forgotten --redact --deviations '~\/own\.json'$/m, stderr);
});
