import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { ScenarioVerdict } from '../../../catalog/verdict';
import { info } from '../../../reports/fixtures/record-outcomes';
import { scenariosAgain } from './again';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-again-'));

after(() => {
  rmSync(folder, { recursive: true });
});

/** A run whose scenarios had these verdicts, at lines 10, 20, ... */
function runOf(...scenarios: readonly (readonly [string, ScenarioVerdict])[]): string {
  const verdicts = {
    schemaVersion: 2,
    ...info,
    startedAt: '2026-11-20T12:00:00.000Z',
    durationMs: 5,
    rules: [
      {
        id: 'ibv_poll_cq.fifo',
        page: 'ibv_poll_cq',
        section: 'NOTES',
        title: 'A rule',
        verdict: 'violates',
        scenarios: scenarios.map(([name, verdict], index) => ({
          uri: 'features/cq/ibv_poll_cq.feature',
          line: (index + 1) * 10,
          name,
          verdict,
          durationMs: 1,
        })),
      },
    ],
  };
  const path = join(folder, 'verdicts.json');
  writeFileSync(path, JSON.stringify(verdicts));
  return path;
}

const rules = [
  {
    ids: ['ibv_poll_cq.fifo'],
    title: 'A rule',
    uri: 'features/cq/ibv_poll_cq.feature',
    scenarios: [
      { name: 'a', line: 10 },
      { name: 'b', line: 20 },
      { name: 'by example', line: 30 },
      { name: 'by example', line: 40 },
      { name: 'moved', line: 55 },
    ],
  },
];

describe('what runs again', () => {
  it('is what failed, was blocked or broken, and nothing that came out as expected', () => {
    const path = runOf(
      ['a', 'pass'],
      ['b', 'hang'],
      ['by example', 'deviates'],
      ['by example', 'blocked'],
      ['moved', 'fail'],
    );
    assert.deepEqual(scenariosAgain(path, { rules }), [
      'features/cq/ibv_poll_cq.feature:20',
      'features/cq/ibv_poll_cq.feature:40',
      'features/cq/ibv_poll_cq.feature:55',
    ]);
  });

  it('has to be something', () => {
    assert.throws(() => scenariosAgain(runOf(['a', 'pass']), { rules }), /everything in .* came out as expected/);
  });

  it('has to be in the features still', () => {
    assert.throws(() => scenariosAgain(runOf(['gone', 'fail']), { rules }), /poll_cq\.feature:10 is not "gone"/);
  });
});
