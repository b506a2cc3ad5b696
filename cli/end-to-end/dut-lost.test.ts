import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { before, describe, it } from 'node:test';
import { DutLost } from '../../drivers/contract';
import { SimBackend } from '../../drivers/sim/backend';
import { Context } from '../../drivers/sim/device/context';
import { soundParts } from '../../drivers/sim/device/device';
import { refusalOf } from '../../drivers/pipeline/conventions';
import { VerbsDriver } from '../../drivers/pipeline/verbs-driver';
import type { JudgedRun } from '../../reports/judge/judged-run';
import { renderSummary } from '../../reports/summary/summary';
import { exitCode } from '../../reports/judge/verdicts';
import { judgedRun, pathOf } from '../run/judge-run';
import { featureRules } from '../inputs/features';

/** The simulator, which is lost for good at the first call of a verb. */
class LosableBackend extends SimBackend {
  /** Scenarios for which it was asked to make ready. */
  begun = 0;

  constructor(readonly fatalVerb: string) {
    super(soundParts);
  }

  override begin(): Promise<void> {
    this.begun += 1;
    return super.begin();
  }

  override call(...[verb, args]: Parameters<SimBackend['call']>): ReturnType<SimBackend['call']> {
    return verb === this.fatalVerb ? Promise.reject(new DutLost('the cable is out')) : super.call(verb, args);
  }
}

const rulesAroundTheLoss = ['ibv_get_cq_event.get-returns-zero', 'ibv_poll_cq.overrun-async-event'];

async function runUntilLost(backend: LosableBackend): Promise<JudgedRun> {
  const rules = featureRules().filter(({ ids }) => ids.some((id) => rulesAroundTheLoss.includes(id)));
  return judgedRun(new VerbsDriver(backend, { eventMs: 500, quietMs: 0 }), rules.map(pathOf));
}

describe('a device that is lost', () => {
  const backend = new LosableBackend('ibv_get_async_event');
  let run: JudgedRun;

  before(async () => {
    run = await runUntilLost(backend);
  });

  it('leaves the scenario it was lost in broken, and all after it at once, with the reason', () => {
    const [first, ...others] = run.scenarios;
    assert.equal(first?.verdict, 'pass');
    assert.ok(others.length > 1);
    for (const { verdict, detail } of others)
      assert.deepEqual([verdict, (detail ?? '').includes('the cable is out')], ['broken', true]);
    assert.equal(backend.begun, 2, 'the device is not asked again');
  });

  it('is reported in the verdicts, once in the summary, and by exit code 3', () => {
    assert.equal(run.verdicts.dutLost, 'the cable is out');
    assert.equal(exitCode(run.verdicts, run.problems), 3);
    const summary = renderSummary(run, { color: false });
    assert.match(summary, /Problem: the device under test was lost: the cable is out/);
    assert.equal(summary.match(/Broken harness:/g)?.length, 1, summary);
  });
});

describe('a device that is lost in the clean-up', () => {
  it('is reported of a scenario that passed until then', async () => {
    const backend = new LosableBackend('ibv_close_device');
    const { scenarios, verdicts } = await runUntilLost(backend);
    assert.equal(scenarios[0]?.outcome.findings[0]?.dutLost, true);
    assert.deepEqual([...new Set(scenarios.map(({ verdict }) => verdict))], ['broken']);
    assert.equal(verdicts.dutLost, 'the cable is out');
    assert.equal(backend.begun, 1, 'the device is not asked again');
  });
});

/** A device that announces its death at the first message of a scenario, from which on it refuses all. */
class DyingBackend extends SimBackend {
  override readonly hasFreshDevices = false;
  #isDead = false;

  constructor(
    readonly isMeant: (verb: string) => boolean,
    readonly refuses = true,
  ) {
    super(soundParts);
  }

  override async call(...[verb, args]: Parameters<SimBackend['call']>): ReturnType<SimBackend['call']> {
    if (this.#isDead && this.refuses && /^ibv_(?:post|poll|req_notify|create)/.test(verb)) {
      const { EIO } = constants.errno;
      return { returned: refusalOf(verb, EIO), errno: EIO, outputs: {}, startedAt: 0, durationUs: 1 };
    }
    if (!this.#isDead && this.isMeant(verb)) {
      this.#isDead = true;
      for (const context of this.#contexts()) context.raise('IBV_EVENT_DEVICE_FATAL', undefined);
    }
    return super.call(verb, args);
  }

  #contexts(): Context[] {
    const { handles } = this.node;
    return handles.list().flatMap((handle) => {
      const object = handles.find(handle);
      return object instanceof Context ? [object] : [];
    });
  }
}

describe('a device that announces its own death', () => {
  const rules = featureRules().filter(({ uri }) => uri.includes('ibv_req_notify_cq'));
  const runOn = (backend: SimBackend): Promise<JudgedRun> =>
    judgedRun(new VerbsDriver(backend, { eventMs: 500, quietMs: 0 }), rules.map(pathOf));

  for (const refuses of [true, false]) {
    it(`ends the run, whether or not it works on: ${refuses ? 'it refuses all' : 'it does'}`, async () => {
      let posts = 0;
      const run = await runOn(new DyingBackend((verb) => verb === 'ibv_post_send' && (posts += 1) === 4, refuses));
      const { verdicts, scenarios, problems } = run;
      assert.equal(exitCode(verdicts, problems), 3);
      assert.match(
        verdicts.dutLost ?? '',
        /^the device has announced its own death, IBV_EVENT_DEVICE_FATAL; .*--again/,
      );
      const summary = renderSummary(run, { color: false });
      assert.match(summary, /Problem: the device under test was lost: the device has announced its own death/);
      const first = scenarios.findIndex(({ verdict }) => verdict !== 'pass');
      assert.ok(first > 0, 'what ran before keeps its verdict');
      const dying = scenarios[first]?.outcome.findings ?? [];
      assert.ok(dying.some(({ dutLost }) => dutLost));
      for (const { verdict, detail } of scenarios.slice(first + 1)) {
        assert.deepEqual([verdict, (detail ?? '').includes('its own death')], ['broken', true]);
      }
    });
  }

  it('ends no run whose every scenario has a device of its own', async () => {
    let posts = 0;
    const backend = new DyingBackend((verb) => verb === 'ibv_post_send' && (posts += 1) === 4, false);
    const { verdicts, problems } = await runOn(Object.assign(backend, { hasFreshDevices: true }));
    assert.equal(exitCode(verdicts, problems), 0);
  });
});
