import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HarnessError, type Dut } from '../../drivers/contract';
import { dutOf } from '../../drivers/native/client/answers';
import { decodeMessage, encodeMessage } from '../../drivers/native/protocol';
import { dutFacts, moduleText } from '../../reports/evidence/dut-text';
import { allureEnvironmentOf } from '../../reports/allure/allure-metadata';
import { info, judgeMessages } from '../../reports/fixtures/record-outcomes';
import { assertValid, type Verdicts } from '../../reports/judge/verdicts';

/** Each run has the same cases. */
fc.configureGlobal({ seed: 20261121 });

const dut: Dut = {
  ...(info.dut as Dut),
  port: { ...(info.dut as Dut).port, gidType: 'RoCE v2' },
  distribution: 'Some Linux 1',
  modules: [{ name: 'rdma_rxe', version: '1.2', buildId: '0f', parameters: { debug: '0x1f' } }],
  taint: { mask: 4096, reasons: ['out-of-tree module (O)'] },
};

const verdictsOf = (told: Dut): Verdicts => ({
  schemaVersion: 2,
  ...info,
  dut: told,
  startedAt: '2026-11-20T12:00:00.000Z',
  durationMs: 5,
  rules: [],
});

/** The description as the client gets it of a host. */
const answered = (told: unknown): Dut => ({
  ...dutOf(decodeMessage(encodeMessage(told))),
  capabilities: dut.capabilities,
});

describe('the description of a device', () => {
  it('comes through whole', () => {
    assert.deepEqual(answered(dut), dut);
    assertValid(verdictsOf(answered(dut)));
  });

  it('may lack what not every host can report', () => {
    assert.deepEqual(answered(info.dut), info.dut);
  });

  const wrong: readonly (readonly [string, object])[] = [
    ['a GID type that is not a text', { port: { ...dut.port, gidType: 2 } }],
    ['a distribution that is not a text', { distribution: null }],
    ['a module of the user without its file', { module: { name: 'x' } }],
    ['a taint without a mask', { taint: { reasons: [] } }],
    ['a taint that is a number', { taint: 4096 }],
    ['a taint whose reasons are no texts', { taint: { mask: 1, reasons: [1] } }],
    ['modules that are no list', { modules: { name: 'x' } }],
    ['a module without a name', { modules: [{ parameters: {} }] }],
    ['a module without parameters', { modules: [{ name: 'x' }] }],
    ['a parameter that is not a text', { modules: [{ name: 'x', parameters: { y: 1 } }] }],
    ['a version that is not a text', { modules: [{ name: 'x', version: 1, parameters: {} }] }],
    ['a count that is none', { physPortCnt: -1 }],
    ['a count with a fraction', { vendorId: 1.5 }],
  ];
  for (const [what, change] of wrong) {
    it(`is refused for ${what}`, () => {
      assert.throws(() => answered({ ...dut, ...change }), HarnessError);
    });
  }

  it('is refused or can be written, whatever a host says', () => {
    const members = [...Object.keys(dut), 'module', '__proto__', 'more'];
    const anything = fc.oneof(fc.jsonValue(), fc.constantFrom('0x1f', ['0x0'], { x: '0xffffffffffffffff' }, 'é\u0000'));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...members), anything), (change) => {
        let told: Dut;
        try {
          told = answered({ ...dut, ...change });
        } catch (error) {
          assert.ok(error instanceof HarnessError, String(error));
          return;
        }
        assertValid(JSON.parse(JSON.stringify(verdictsOf(told))));
        dutFacts(told);
      }),
    );
  });

  it('is refused when it is nested without end', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    assert.throws(() => dutOf({ ...dut, more: deep }), HarnessError);
  });
});

describe('the device in reports', () => {
  it('is summarised in a few facts', () => {
    assert.deepEqual(dutFacts(dut).slice(-3), [
      'on Some Linux 1',
      'GID 1 (RoCE v2)',
      'kernel tainted by out-of-tree module (O)',
    ]);
    assert.ok(!dutFacts({ ...dut, taint: { mask: 0, reasons: [] } }).some((fact) => fact.includes('taint')));
  });

  it('says that it is the simulator that behaves like another', () => {
    const profile = { name: 'connectx', basis: 'as sources tell' };
    assert.ok(dutFacts({ ...dut, profile }).includes('profile connectx (as sources tell)'));
    const judged = judgeMessages('');
    const recording = { ...judged.recording, info: { ...info, dut: { ...dut, profile } } };
    assert.equal(allureEnvironmentOf({ ...judged, recording }).Profile, 'connectx (as sources tell)');
  });

  it('has its modules in a line each', () => {
    const judged = judgeMessages('');
    const recording = { ...judged.recording, info: { ...info, dut } };
    const environment = allureEnvironmentOf({ ...judged, recording });
    assert.equal(environment['Module rdma_rxe'], '1.2, build id 0f, debug=0x1f');
    assert.equal(environment.Taint, 'out-of-tree module (O)');
    assert.equal(environment['Port GID type'], 'RoCE v2');
    assert.equal(moduleText({ name: 'x', parameters: {} }), 'loaded');
  });
});
