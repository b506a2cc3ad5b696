import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dutName } from './dut-name';
import { countsText, runTitle } from './run-title';
import type { Verdicts } from '../judge/verdicts';

const run: Verdicts = {
  schemaVersion: 2,
  suite: { version: '0.1.0', commit: '1234567' },
  driver: 'soft-roce',
  dut: { hcaId: 'rxe0', kernel: '6.1.0' },
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  rules: [],
};

test('a device is named by driver, name, kernel and a module of the user; the simulator by its name', () => {
  assert.equal(dutName(run), 'soft-roce rxe0, kernel 6.1.0');
  const module = { name: 'rdma_rxe', file: 'mine.ko', sha256: 'f'.repeat(64) };
  assert.equal(dutName({ ...run, dut: { ...run.dut, module } }), 'soft-roce rxe0, kernel 6.1.0, module mine.ko');
  assert.equal(dutName({ driver: 'sim', dut: { hcaId: 'sim0', kernel: 'none' } }), 'sim');
  const profile = { name: 'connectx', basis: 'as sources tell' };
  assert.equal(dutName({ driver: 'sim', dut: { hcaId: 'sim0', profile } }), 'sim like connectx');
  assert.equal(dutName({ driver: 'hca', dut: {} }), 'hca');
});

test('what fails comes first after what passes, and what there is none of is left out', () => {
  const verdicts = ['not-applicable', 'broken', 'pass', 'fail', 'pass'] as const;
  assert.equal(countsText(verdicts.map((verdict) => ({ verdict }))), '2 pass, 1 fail, 1 broken, 1 not-applicable');
});

test('a run is named with its device, and with the loss of it', () => {
  assert.equal(runTitle(run), 'soft-roce rxe0, kernel 6.1.0: nothing ran');
  assert.equal(runTitle({ ...run, label: 'lab 7' }), 'lab 7, soft-roce rxe0, kernel 6.1.0: nothing ran');
  assert.equal(runTitle({ ...run, dutLost: 'gone' }), 'soft-roce rxe0, kernel 6.1.0: nothing ran, device lost');
});
