import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { withoutJava, type CommandResult } from '../fixtures/command';
import { inProcess } from '../fixtures/in-process';
import { parseVerdicts, scenariosOf } from '../../reports/judge/verdicts';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-reproduce-'));

after(() => {
  rmSync(folder, { recursive: true });
});

/** Runs rules under a fault of the simulator. @returns the folder, and where the scenarios stand that failed */
async function failing(fault: string, ...rules: readonly string[]): Promise<{ out: string; places: string[] }> {
  const out = join(folder, fault);
  const ended = await inProcess(['run', ...rules, '--fault', fault, '--out', out], withoutJava);
  assert.equal(ended.code, 1, ended.stderr);
  const entries = scenariosOf(parseVerdicts(readFileSync(join(out, 'verdicts.json'), 'utf8')));
  return { out, places: entries.flatMap(({ uri, line, verdict }) => (verdict === 'fail' ? [`${uri}:${line}`] : [])) };
}

/** Makes a program and compiles it as a user would who wants no warning. */
async function program(out: string, place: string, ...more: readonly string[]): Promise<string> {
  const file = join(folder, 'finding.c');
  const ended = await inProcess(['reproduce', out, place, '--out', file, ...more]);
  assert.equal(ended.code, 0, `${place}: ${ended.stderr}`);
  const warnings = ['-Wall', '-Wextra', '-Werror'];
  execFileSync('cc', [...warnings, '-o', join(folder, 'finding'), file, '-libverbs', '-pthread']);
  return readFileSync(file, 'utf8');
}

const faults: Readonly<Record<string, readonly [rules: readonly string[], check: RegExp]>> = {
  'solicited-bit-lost': [
    ['ibv_req_notify_cq.solicited-recv-send'],
    /check\(\(look\.revents & POLLIN\) != 0, "revents of poll\(channel\)",/,
  ],
  'stays-armed': [
    ['ibv_req_notify_cq.one-shot'],
    /check\(\(look\.revents & POLLIN\) == 0, "revents of poll\(channel\)",/,
  ],
  'failed-receive-without-vendor-err': [
    ['ibv_poll_cq.error-valid-vendor-err'],
    /check\(wc\[0\]\.vendor_err != 0xa5a5a5a5, "wc\[0\]\.vendor_err of ibv_poll_cq\(\w+\)",/,
  ],
  'port-counted-from-zero': [
    ['ibv_get_async_event.element-port'],
    /await_link\(context_1->async_fd, "down"\);[^]*check\(\(event_\d+\.element\.port_num\) == 1,/,
  ],
  'event-types-alike': [
    ['ibv_event_type_str.event-type-str'],
    /check\(strcmp\(ibv_event_type_str\(IBV_EVENT_PATH_MIG_ERR\), ibv_event_type_str\(IBV_EVENT_PATH_MIG\)\),/,
  ],
  'resize-drops-newest': [
    ['ibv_resize_cq.not-below-backlog'],
    /\(void\)\(ibv_resize_cq\(recv_cq, 2\)\); \/\* a device may refuse it \*\/[^]*check\(\(polled\) == 3,/,
  ],
};

describe('a program of a failed scenario', () => {
  for (const [fault, [rules, check]] of Object.entries(faults)) {
    it(`compiles, and looks at what was wrong: ${fault}`, async () => {
      const { out, places } = await failing(fault, ...rules);
      assert.ok(places.length > 0);
      for (const place of places) assert.match(await program(out, place), check, place);
    });
  }

  it('looks at the step that failed, and not at one before it in the same words', async () => {
    const { out, places } = await failing('solicited-bit-lost', 'ibv_req_notify_cq.solicited-recv-send');
    for (const place of places) {
      const text = await program(out, place);
      const [, last = ''] = text.split(/\/\* (?:Then|And|But) .*delivers.* \*\//).slice(-2);
      assert.match(last, /check\(/, place);
    }
  });

  it('compares the members that were found to differ, though the device does otherwise in others', async () => {
    const rule = 'ibv_poll_cq.error-valid-qp-num';
    const { out, places } = await failing('failed-remote-access-loses-qp-num', rule);
    const messages = join(out, 'messages.ndjson');
    const text = readFileSync(messages, 'utf8').replaceAll('IBV_WC_REM_ACCESS_ERR', 'IBV_WC_REM_OP_ERR');
    writeFileSync(messages, text);
    for (const place of places) {
      const written = await program(out, place);
      assert.match(written, /check\(\(wc\[0\]\.qp_num\) ==/, place);
      assert.doesNotMatch(written, /check\(wc\[0\]\.status/, place);
    }
  });

  it('names what its device gives, and no value of the run', async () => {
    const { out, places } = await failing('solicited-bit-lost', 'ibv_req_notify_cq.solicited-recv-send');
    const text = await program(out, places[0] ?? '');
    assert.match(text, /\.dest_qp_num = server_qp_num,/);
    assert.match(text, /\.lkey = mr_\d+_lkey/);
    assert.match(text, /\.dgid = gid, \.sgid_index = gid_index/);
    assert.match(text, /memory_\d+ \+ 1024/);
    assert.doesNotMatch(text, /0xa1b2c/, 'a QP number of the simulator');
  });

  it('runs without a device as far as that', async () => {
    const { out, places } = await failing('solicited-bit-lost', 'ibv_req_notify_cq.solicited-recv-send');
    await program(out, places[0] ?? '');
    assert.throws(
      () => execFileSync(join(folder, 'finding'), ['none'], { stdio: 'pipe' }),
      (error: unknown) => (error as { readonly status: number }).status === 2,
    );
  });
});

describe('what no program can be made of', () => {
  let out = '';
  let place = '';
  before(async () => {
    const run = await failing('stays-armed', 'ibv_req_notify_cq.one-shot', 'ibv_req_notify_cq.signature');
    out = run.out;
    place = run.places[0] ?? '';
  });

  const refused = async (pattern: RegExp, run: string, scenario: string): Promise<CommandResult> => {
    const ended = await inProcess(['reproduce', run, scenario]);
    assert.equal(ended.code, 2, ended.stderr);
    assert.match(ended.stderr, pattern);
    assert.equal(ended.stderr.trim().split('\n').length, 1, ended.stderr);
    return ended;
  };

  /** The run with something in it replaced. */
  const changed = (file: string, from: string | RegExp, to: string): string => {
    const copy = join(folder, 'changed');
    rmSync(copy, { recursive: true, force: true });
    cpSync(out, copy, { recursive: true });
    const text = readFileSync(join(copy, file), 'utf8');
    const other = text.replaceAll(from, to);
    assert.notEqual(other, text);
    writeFileSync(join(copy, file), other);
    return copy;
  };

  it('is a scenario that the run does not have: the nearest is named', async () => {
    await refused(/did you mean ".*one event"/, out, 'Two CQEs after one request add one evnt');
    await refused(/no scenario/, out, 'features/nope.feature:1');
  });

  it('is one that passed, unless any will do', async () => {
    const passed = scenariosOf(parseVerdicts(readFileSync(join(out, 'verdicts.json'), 'utf8'))).find(
      ({ verdict }) => verdict === 'pass',
    );
    assert.ok(passed);
    await refused(/passed: nothing failed in it; --any/, out, `${passed.uri}:${passed.line}`);
    await program(out, `${passed.uri}:${passed.line}`, '--any');
  });

  it('is one in which no event tells how the link of the port was moved', async () => {
    const { out: silent, places } = await failing('link-up-is-silent', 'ibv_get_async_event.event-port-active');
    await refused(/moves the link of the port, which no call of libibverbs does/, silent, places[0] ?? '');
  });

  it('is a run of another version', async () => {
    await refused(/schema version 1/, changed('verdicts.json', '"schemaVersion": 2', '"schemaVersion": 1'), place);
    await refused(/run of verbspec 9/, changed('verdicts.json', /"version": "[^"]*"/g, '"version": "9.0.0"'), place);
  });

  it('is a run whose trace is gone, damaged, or without its legend', async () => {
    const bare = changed('verdicts.json', '\n', '\n ');
    rmSync(join(bare, 'messages.ndjson'));
    await refused(/has no messages\.ndjson/, bare, place);
    await refused(
      /trace-legend|which step made which call/,
      changed('messages.ndjson', 'trace-legend+json', 'x'),
      place,
    );
    await refused(/no trace of/, changed('messages.ndjson', 'verbspec.trace+json', 'x'), place);
    await refused(/ibv_steal/, changed('messages.ndjson', 'ibv_alloc_pd', 'ibv_steal'), place);
    await refused(/line 1 of the messages/, changed('messages.ndjson', /^\{/g, 'x{'), place);
    assert.ok(!existsSync(join(folder, 'written')));
  });
});
