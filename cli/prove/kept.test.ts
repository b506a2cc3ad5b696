import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { root } from '../common/project';
import { KeptResults } from './kept';
import type { PlannedTrial } from './plan';
import type { RecordedScenario, Tried } from './prove-job';
import { Sources } from './sources';

const folder = mkdtempSync(join(tmpdir(), 'verbspec-kept-'));
const project = join(folder, 'project');
const results = join(folder, 'results');

after(() => {
  rmSync(folder, { recursive: true });
});

for (const one of ['drivers', 'steps', 'catalog', 'ci', 'cli', 'reports']) {
  cpSync(join(root, one), join(project, one), { recursive: true, filter: (path) => !path.endsWith(`reports/out`) });
}
cpSync(join(root, 'package-lock.json'), join(project, 'package-lock.json'));

const scenario: RecordedScenario = {
  uri: 'features/cq/ibv_resize_cq.feature',
  line: 22,
  name: 'Growing a CQ returns 0',
  clauseIds: ['ibv_resize_cq.returns-zero'],
  verdict: 'pass',
  verbs: ['ibv_resize_cq'],
  checks: 2,
  touches: ['Cq.resize', 'Context.constructor', 'ibv_resize_cq'],
  history: [],
  text: 'resizing CQ "recv_cq" to 9 entries succeeds',
  needs: [],
  definitions: ['steps/cq/cq.steps.ts'],
  writtenName: 'Growing a CQ returns 0',
  steps: [{ line: 24, text: 'resizing CQ "recv_cq" to 9 entries succeeds', isThen: true }],
};
const fault = 'resize-does-nothing';
const tried: Tried = {
  uri: scenario.uri,
  line: scenario.line,
  at: 'ibv_resize_cq',
  verdict: 'fail',
  detail: 'so',
  failedAt: 0,
  signature: 'fail: so',
};

function trialOf(one: RecordedScenario): PlannedTrial {
  return { uri: one.uri, line: one.line, uptoVerbs: [], scenario: one };
}

/** What is known of a scenario after a proof of it, once something has been changed. */
function knownAfter(change: () => RecordedScenario | undefined, isAnew = false): readonly Tried[] {
  rmSync(results, { recursive: true, force: true });
  new KeptResults(new Sources(project), false, results).write(fault, [trialOf(scenario)], [tried]);
  const changed = change() ?? scenario;
  return new KeptResults(new Sources(project), isAnew, results).read(fault, [trialOf(changed)]);
}

/** Changes a file of the project until the next test. */
function edited(path: string, edit: (text: string) => string): () => undefined {
  return () => {
    const file = join(project, path);
    const before = readFileSync(file, 'utf8');
    const text = edit(before);
    assert.notEqual(text, before);
    writeFileSync(file, text);
    return undefined;
  };
}

const comment = (text: string): string => `${text}\n// a change\n`;
const faultsOfPage = 'drivers/sim/faults/cq/ibv_resize_cq.ts';

describe('a result of a proof', () => {
  const keeping: Readonly<Record<string, () => RecordedScenario | undefined>> = {
    'nothing has changed': () => undefined,
    'the scenario has moved': () => ({ ...scenario, line: 23 }),
    'other step definitions have changed': edited('steps/mr/memory.steps.ts', comment),
    'a part of the simulator has changed that it does not touch': edited('drivers/sim/srq/srq.ts', comment),
    'another fault of the page has changed': edited(faultsOfPage, (text) => text.replace('returned: 1', 'returned: 3')),
    'a test has changed': edited('drivers/sim/cq/cq.test.ts', comment),
  };
  for (const [what, change] of Object.entries(keeping)) {
    it(`is known as long as ${what}`, () => {
      const [known] = knownAfter(change);
      assert.deepEqual({ ...known, line: scenario.line }, tried);
    });
  }

  const ending: Readonly<Record<string, () => RecordedScenario | undefined>> = {
    'its steps': () => ({ ...scenario, text: 'resizing CQ "recv_cq" to 8 entries succeeds' }),
    'their definitions': edited('steps/cq/cq.steps.ts', comment),
    'what step definitions have in common': edited('steps/world/waits.ts', comment),
    'a part of the simulator that it touches': edited('drivers/sim/cq/cq.ts', comment),
    'what the parts have in common': edited('drivers/sim/clock.ts', comment),
    'the data of the device': edited('drivers/sim/device/simulated-dut.json', (text) => `${text} `),
    'the fault': edited(faultsOfPage, (text) =>
      text.replace('a resize succeeds and changes nothing', 'a resize does nothing'),
    ),
    'what the faults of the page have in common': edited(faultsOfPage, comment),
    'a package': edited('package-lock.json', (text) => `${text} `),
  };
  for (const [what, change] of Object.entries(ending)) {
    it(`counts no more once a change was made of ${what}`, () => {
      assert.deepEqual(knownAfter(change), []);
    });
  }

  it('does not count where all shall run', () => {
    assert.deepEqual(
      knownAfter(() => undefined, true),
      [],
    );
  });

  it('does not count where its file is damaged', () => {
    const damage = (text: string): (() => undefined) => {
      return () => {
        writeFileSync(join(results, `${fault}.json`), text);
        return undefined;
      };
    };
    for (const text of ['', '{"a', '[]', '{"a": 1}', '{"a": {"line": 1}}']) {
      assert.deepEqual(knownAfter(damage(text)), [], text);
    }
  });

  it('leaves nothing but its file behind', () => {
    knownAfter(() => undefined);
    assert.deepEqual(readdirSync(results), [`${fault}.json`]);
  });

  it('is not kept where its folder cannot be made', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const kept = new KeptResults(new Sources(project), false, join(file, 'proof'));
    assert.throws(() => {
      kept.write(fault, [trialOf(scenario)], [tried]);
    }, /ENOTDIR/);
    mkdirSync(results, { recursive: true });
  });
});
