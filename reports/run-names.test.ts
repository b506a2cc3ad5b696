import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runNames } from './run-names';
import type { Verdicts } from './verdicts';

function runOn(driver: string, dut: Verdicts['dut']): Verdicts {
  return {
    schemaVersion: 1,
    suite: { version: '1', commit: 'c' },
    driver,
    dut,
    startedAt: '',
    durationMs: 0,
    rules: [],
  };
}

const rxe = (kernel: string, rdmaCore: string) => runOn('soft-roce', { hcaId: 'rxe0', kernel, rdmaCore });

test('a device is told by driver, name and kernel, the simulator by its name alone', () => {
  assert.deepEqual(runNames([runOn('sim', { hcaId: 'sim0', kernel: 'none' }), rxe('6.1.0', '44.0')]), [
    'sim',
    'soft-roce rxe0, kernel 6.1.0',
  ]);
});

test('a module of the user is told', () => {
  const module = { file: 'rdma_rxe.ko', sha256: 'f'.repeat(64) };
  const run = runOn('soft-roce', { hcaId: 'rxe0', kernel: '6.1.0', module } as Verdicts['dut']);
  assert.deepEqual(runNames([run]), ['soft-roce rxe0, kernel 6.1.0, module rdma_rxe.ko']);
});

test('rdma-core is told where nothing else differs, and a number where that does not either', () => {
  assert.deepEqual(runNames([rxe('6.1.0', '44.0'), rxe('6.1.0', '56.1'), rxe('7.2.0', '44.0')]), [
    'soft-roce rxe0, kernel 6.1.0, rdma-core 44.0',
    'soft-roce rxe0, kernel 6.1.0, rdma-core 56.1',
    'soft-roce rxe0, kernel 7.2.0',
  ]);
  assert.deepEqual(runNames([runOn('sim', {}), runOn('sim', {})]), ['sim (1)', 'sim (2)']);
});
