import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { TraceStruct } from '../../../drivers/contract';
import { simulatedDut } from '../../../drivers/sim/device/dut';
import { SimBackend } from '../../../drivers/sim/backend';
import { soundParts, type Parts } from '../../../drivers/sim/device/device';
import { generate } from '../../../drivers/explore/generate/generate';
import { runProgram } from '../../../drivers/programs/run-program';
import { callsOf, type Program } from '../../../drivers/programs/program';
import { checkedProgram } from '../../../drivers/programs/check-program';
import { Explorer } from '../../../drivers/explore/explorer';
import { partsFor } from '../../../drivers/sim/faults';
import { findingText } from '../finding-file';
import { inProcess } from '../../fixtures/in-process';
import { findingOn } from '../fixtures/findings';
import { cText } from './c-program';
import { emitKinds } from './emit';
import { featureText } from './feature';
import { markdownText } from './markdown';
import { readFeature } from './read-feature';
import { storedFinding, type StoredFinding } from './stored-finding';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-emit-'));
const file = join(folder, 'finding.json');
let text = '';

before(async () => {
  text = await findingOn('stays-armed');
  writeFileSync(file, text);
});

after(() => {
  rmSync(folder, { recursive: true });
});

/** What a simulator with that fault, or of those classes, is found to do wrong in a program. */
async function findingOf(fault: string | Parts, ...ops: readonly unknown[]): Promise<StoredFinding> {
  const parts = typeof fault === 'string' ? partsFor(fault) : fault;
  const explorer = new Explorer(new SimBackend(parts), { oracles: ['inclusion'] });
  const original = checkedProgram({ version: 1, seed: 'link', ops });
  const outcome = await explorer.examine(original);
  assert.ok(outcome.kind === 'finding');
  return storedFinding(findingText(outcome.finding, { driver: 'sim', dut: explorer.dut, seed: 1, original }));
}

function changed(members: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...(JSON.parse(text) as object), ...members });
}

describe('a finding as a program in C', () => {
  const compile = (c: string): string => {
    const source = join(folder, 'finding.c');
    writeFileSync(source, c);
    const program = join(folder, 'finding');
    execFileSync('gcc', ['-Wall', '-Wextra', '-Werror', '-o', program, source, '-libverbs', '-pthread']);
    return program;
  };

  const faults: Readonly<Record<string, RegExp>> = {
    'stays-armed': /that it blocks|no POLLIN|EAGAIN/,
    'solicited-bit-lost': /an event|POLLIN/,
    'link-down-is-silent': /await_link\(\w+->async_fd, "down"\);/,
  };
  for (const [fault, check] of Object.entries(faults)) {
    it(`compiles without a warning, and compares what was wrong: ${fault}`, async () => {
      const c = await cText(storedFinding(await findingOn(fault)));
      assert.match(c, check);
      assert.match(c, /puts\("not reproduced: \w+ of /);
      const ended = spawnSync(compile(c), ['none'], { encoding: 'utf8' });
      assert.equal(ended.status, 2, 'there is no such device');
    });
  }

  it('takes the link of the port down and up before the calls that come after it, and tells of it by an open context', async () => {
    const query = {
      call: 'ibv_query_port',
      args: { context: { of: 'ctx' }, portNum: { of: 'dut', member: 'portNum' } },
    };
    const open = { call: 'ibv_open_device', args: { device: { of: 'dut', member: 'name' } } };
    const close = { call: 'ibv_close_device', args: { context: { of: 'old' } } };
    const event = { call: 'ibv_get_async_event', args: { context: { of: 'ctx' } }, as: 'err' };
    const unmade = { ...query, args: { ...query.args, context: { of: 'old' } } };
    const opened = [{ ...open, as: 'old' }, { ...open, as: 'ctx' }, close];
    const calls = [...opened, { port: 'down' }, unmade, event, { port: 'up' }, query];
    const c = await cText(await findingOf('port-says-the-opposite', ...calls));
    const body = c.slice(c.indexOf('int main'));
    const places = [
      'ibv_close_device(old)',
      'await_link(ctx->async_fd, "down");',
      'ibv_get_async_event(ctx, &',
      'await_link(ctx->async_fd, "up");',
      'ibv_query_port(ctx, ',
    ].map((text) => body.indexOf(text));
    assert.ok(!places.includes(-1), body);
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    );
    assert.equal(body.split('await_link').length, 3);
    compile(c);
  });

  it('compares what a question filled in, in whichever of its structs that is', async () => {
    const parts: Parts = {
      ...soundParts,
      Qp: class extends soundParts.Qp {
        override query(): TraceStruct {
          return { ...super.query(), qpState: 'IBV_QPS_RTS' };
        }
      },
      Srq: class extends soundParts.Srq {
        override get armedLimit(): number {
          return 7;
        }
      },
    };
    const [of, sizes] = [(name: string) => ({ of: name }), { maxWr: 4, maxSge: 1 }];
    const cap = { maxSendWr: 4, maxRecvWr: 4, maxSendSge: 1, maxRecvSge: 1, maxInlineData: 0 };
    const qpInitAttr = { sendCq: of('cq'), recvCq: of('cq'), srq: null, cap, qpType: 'IBV_QPT_RC', sqSigAll: false };
    const device = [
      { call: 'ibv_open_device', args: { device: { of: 'dut', member: 'name' } }, as: 'ctx' },
      { call: 'ibv_alloc_pd', args: { context: of('ctx') }, as: 'pd' },
    ];
    const cqAttr = { context: of('ctx'), cqe: 4, cqContext: '0x0', channel: null, compVector: 0 };
    const ofQp = await findingOf(
      parts,
      ...device,
      { call: 'ibv_create_cq', args: cqAttr, as: 'cq' },
      { call: 'ibv_create_qp', args: { pd: of('pd'), qpInitAttr }, as: 'qp' },
      { call: 'ibv_query_qp', args: { qp: of('qp'), attrMask: ['IBV_QP_STATE'] } },
    );
    const qpText = await cText(ofQp);
    assert.match(qpText, /ibv_query_qp\(qp, &attr, IBV_QP_STATE, &init_attr\)/);
    assert.match(qpText, /check\(attr\.qp_state == IBV_QPS_RESET, /);
    compile(qpText);
    const ofSrq = await findingOf(
      parts,
      ...device,
      { call: 'ibv_create_srq', args: { pd: of('pd'), srqInitAttr: { attr: { ...sizes, srqLimit: 0 } } }, as: 'srq' },
      { call: 'ibv_query_srq', args: { srq: of('srq') } },
    );
    const srqText = await cText(ofSrq);
    assert.match(srqText, /check\(\(srq_attr\.srq_limit\) == 0, /);
    compile(srqText);
  });

  it('is refused where nobody hears of the link, and where it is moved twice before a call', async () => {
    const stored = storedFinding(text);
    const moving = (...ops: Program['ops']): StoredFinding => ({ ...stored, program: { ...stored.program, ops } });
    const { ops } = stored.program;
    const [down, up] = [{ port: 'down' }, { port: 'up' }] as const;
    await assert.rejects(
      cText(moving(down, ...ops)),
      /moves the link of the port where no context is open; use --emit/,
    );
    const [open = assert.fail(), ...others] = ops;
    await assert.rejects(cText(moving(open, down, up, ...others)), /moves the link of the port twice before a call/);
  });

  it('lets a comment hold nothing of the finding that ends it', async () => {
    const difference = { ...storedFinding(text).difference, what: '*/ int x; /* \n#error', observed: '*/\u001b[31m' };
    const c = await cText(storedFinding(changed({ difference, clause: '*/ "\\', seed: 7 })));
    compile(c);
    assert.match(c, /^[\n\t\x20-\x7e]*$/);
  });

  it('has the calls after which no device could tell what they came to', async () => {
    const difference = { at: 0, verb: 'kernel', what: 'complaint', expected: 'none', observed: 'BUG: here' };
    const deadly = storedFinding(changed({ oracle: 'broken call', difference, clause: 'kernel', records: [] }));
    const c = await cText(deadly);
    compile(c);
    assert.match(c, /The kernel complains of this program, or dies/);
    const { records } = await runProgram(new SimBackend(soundParts), deadly.program);
    const made = records.flatMap((record) => record?.verb ?? []).filter((verb) => verb.startsWith('ibv_'));
    assert.ok(made.length > 20);
    for (const verb of made) assert.ok(c.includes(`${verb}(`), verb);
    assert.match(markdownText(deadly, 'finding-1'), /^# .*: the kernel complains of a program, or dies$/m);
  });

  it('has the calls with the one at which the process died, and says that', async () => {
    const stored = storedFinding(text);
    const at = callsOf(stored.program).length - 1;
    const difference = { at, verb: 'ibv_poll_cq', what: 'crash', expected: 'none', observed: 'died of SIGSEGV' };
    const deadly = storedFinding(changed({ oracle: 'broken call', difference, records: [] }));
    const c = await cText(deadly);
    compile(c);
    assert.match(c, /The process that makes these calls dies\./);
    const markdown = markdownText(deadly, 'finding-1');
    assert.match(markdown, /^# .*: the process that calls ibv_poll_cq dies$/m);
    assert.match(markdown, /^No call that a page allows kills the process that makes it\.$/m);
  });

  it('is refused where two programs are compared, and where no call was made', async () => {
    await assert.rejects(cText(storedFinding(changed({ oracle: 'metamorphic' }))), /compares two programs/);
    await assert.rejects(cText(storedFinding(changed({ oracle: 'broken call', records: [] }))), /no calls/);
  });
});

describe('a finding as a scenario', () => {
  const asFinding = (program: Program): StoredFinding => ({ ...storedFinding(text), program, records: [] });

  it('is read back as the very same program, which comes to the same', async () => {
    for (let index = 0; index < 8; index++) {
      const program = await generate({ seed: 33, capabilities: simulatedDut.capabilities }, index);
      const { program: read } = readFeature(featureText(asFinding(program)));
      assert.deepEqual(read, program);
      const [one, other] = [
        await runProgram(new SimBackend(soundParts), program),
        await runProgram(new SimBackend(soundParts), read),
      ];
      assert.deepEqual(other.records, one.records);
    }
  });

  it('shows on the device that has the fault, and on no sound one', async () => {
    const feature = join(folder, 'finding.feature');
    assert.equal((await inProcess(['explore', '--emit', 'gherkin', file, '--out', feature])).code, 0);
    const replay = ['explore', '--replay', feature, '--out', join(folder, 'out')];
    const wrong = await inProcess([...replay, '--fault', 'stays-armed']);
    assert.equal(wrong.code, 1, wrong.stderr);
    assert.match(wrong.stdout, /finding-1: /);
    const sound = await inProcess(replay);
    assert.equal(sound.code, 0, sound.stdout);
  });

  it('says of its calls what the model demands', async () => {
    const feature = join(folder, 'demand.feature');
    const { program } = storedFinding(text);
    const scenario = featureText(asFinding({ ...program, ops: program.ops.slice(0, 1) }));
    writeFileSync(
      feature,
      scenario.replace('    Then ', '    Then call 1, ibv_open_device, gives numCompVectors = 77\n    And '),
    );
    const { code, stdout } = await inProcess(['explore', '--replay', feature, '--out', join(folder, 'demand')]);
    assert.match(stdout, /^numCompVectors of call 1, ibv_open_device; expected 77, observed 4, which the pages allow/);
    assert.equal(code, 0);
  });

  const damaged: Readonly<Record<string, (feature: string) => string>> = {
    'no Gherkin': () => 'x',
    'no scenario': () => 'Feature: x\n',
    'another step': (feature) => feature.replace('And every', 'And no'),
    'no calls': (feature) => feature.replace(/```[^`]*```/, ''),
    'an unknown call': (feature) => feature.replace('ibv_alloc_pd(', 'ibv_steal_pd('),
    'a name that nothing makes': (feature) => feature.replace('pd = ibv_alloc_pd(', 'dp = ibv_alloc_pd('),
    'a demand of another call': (feature) =>
      feature.replace('    And every', '    And call 1, poll, gives returned = 0\n    And every'),
  };
  for (const [what, damage] of Object.entries(damaged)) {
    it(`is refused with ${what}`, async () => {
      const feature = join(folder, 'damaged.feature');
      const { difference } = storedFinding(text);
      const whole = featureText(
        storedFinding(changed({ oracle: 'inclusion', difference: { ...difference, what: 'returned', expected: 0 } })),
      );
      const damagedText = damage(whole);
      assert.notEqual(damagedText, whole);
      writeFileSync(feature, damagedText);
      const ended = await inProcess(['explore', '--replay', feature]);
      assert.equal(ended.code, 2, ended.stderr);
      assert.equal(ended.stderr.trim().split('\n').length, 1, ended.stderr);
      assert.match(ended.stderr, /damaged\.feature/);
    });
  }
});

describe('verbspec explore --emit', () => {
  for (const kind of emitKinds) {
    it(`writes ${kind} to standard output, and the same to a file`, async () => {
      const ended = await inProcess(['explore', '--emit', kind, file]);
      assert.equal(ended.code, 0, ended.stderr);
      const out = join(folder, `emitted.${kind}`);
      assert.equal((await inProcess(['explore', '--emit', kind, file, '--out', out])).code, 0);
      assert.equal(readFileSync(out, 'utf8'), ended.stdout);
    });
  }

  const refused = async (args: readonly string[], pattern: RegExp): Promise<void> => {
    const ended = await inProcess(['explore', ...args]);
    assert.equal(ended.code, 2, ended.stderr);
    assert.equal(ended.stderr.trim().split('\n').length, 1, ended.stderr);
    assert.match(ended.stderr, pattern);
  };

  it('refuses a kind that there is not, and what does not go together', async () => {
    await refused(['--emit', 'gherkins', file], /knows no "gherkins"; did you mean "gherkin"/);
    await refused(['--emit', 'c'], /--emit c has no finding/);
    await refused(['--emit', 'c', file, '--programs', '3'], /--emit runs nothing/);
    await refused([file], /without --emit/);
  });

  it('refuses a damaged finding in one line', async () => {
    const damagedFile = join(folder, 'damaged.json');
    const { program, difference } = JSON.parse(text) as { readonly program: object; readonly difference: object };
    const damages: Readonly<Record<string, RegExp>> = {
      '{': /not JSON/,
      '[]': /not a struct/,
      [changed({ schemaVersion: '\u001b[31m2' })]: /has version "\\u001b\[31m2"/,
      [changed({ program: { ...program, version: 9 } })]: /version 9/,
      [changed({ records: 'x' })]: /"records"/,
      [changed({ records: [{ verb: 'ibv_alloc_pd' }] })]: /record 0/,
      [changed({ difference: { ...difference, at: '0' } })]: /"at"/,
      [changed({ device: null })]: /"device"/,
    };
    for (const [damaged, pattern] of Object.entries(damages)) {
      writeFileSync(damagedFile, damaged);
      await refused(['--emit', 'c', damagedFile], pattern);
    }
    await refused(['--emit', 'c', join(folder, 'missing.json')], /missing\.json cannot be read/);
  });

  it('refuses records that do not fit their calls in one line', async () => {
    const { records } = JSON.parse(text) as { readonly records: readonly (object | null)[] };
    const damagedFile = join(folder, 'records.json');
    const args = { qpInitAttr: 3, wrs: 'x', addr: 'x', attr: 7 };
    const none = records.map((record) => record && { ...record, args });
    writeFileSync(damagedFile, changed({ records: none }));
    await refused(['--emit', 'c', damagedFile], /records of the finding|cannot be shown in C/);
  });

  it('writes a script that shellcheck finds nothing in, and that names what it lacks', async () => {
    const script = join(folder, 'bisect.sh');
    assert.equal((await inProcess(['explore', '--emit', 'bisect', file, '--out', script])).code, 0);
    const { status, stdout } = spawnSync('shellcheck', [script], { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
    assert.equal(spawnSync('sh', [script, '6.1'], { env: {} }).status, 128);
  });
});

describe('a session', () => {
  it('writes each finding in its forms', async () => {
    const out = join(folder, 'session');
    const ended = await inProcess(['explore', '--replay', file, '--fault', 'stays-armed', '--out', out]);
    assert.equal(ended.code, 1, ended.stderr);
    for (const ending of ['json', 'c', 'feature', 'md'])
      assert.ok(existsSync(join(out, `finding-1.${ending}`)), ending);
  });
});
