import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Explorer } from '../../drivers/explore/explorer';
import { callsOf } from '../../drivers/programs/program';
import { SimBackend } from '../../drivers/sim/backend';
import { partsFor } from '../../drivers/sim/faults';
import { Session } from './session';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-test-'));

after(() => {
  rmSync(folder, { recursive: true });
});

/** The calls of the first finding, and the lines about it. */
async function firstFinding(shrinkMs: number): Promise<{ readonly calls: number; readonly told: string }> {
  const told: string[] = [];
  const say = (line: string): number => told.push(line);
  const explorer = new Explorer(new SimBackend(partsFor('byte-len-with-immediate')));
  const session = new Session(explorer, { driver: 'sim', seed: 1, folder, shrinkMs, say });
  const around = { excused: new Set<string>(), avoided: new Set<string>() };
  await session.explore([], around, { programs: 6, seconds: Infinity });
  const [finding] = session.findings;
  return { calls: callsOf(finding?.program ?? assert.fail()).length, told: told.join('\n') };
}

test('a finding is made smaller until its time is up, and says so', async () => {
  const [whole, none] = [await firstFinding(Infinity), await firstFinding(0)];
  assert.ok(whole.calls < none.calls);
  assert.match(none.told, /made smaller to \d+, for which the 0 s were up; --minimise goes on/);
  assert.doesNotMatch(whole.told, /were up/);
});
