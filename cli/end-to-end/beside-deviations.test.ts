import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Envelope, TestCase } from '@cucumber/messages';
import { applicability, type ListedDeviation } from '../../catalog/deviations';
import { loadClauses } from '../../catalog/clauses';
import { symptomsOf, type ComparedSymptom } from '../../catalog/symptom';
import type { ScenarioVerdict } from '../../catalog/verdict';
import {
  DutCrashed,
  isList,
  RuleViolated,
  VerbsError,
  type CallRecord,
  type Data,
  type Driver,
  type Dut,
} from '../../drivers/contract';
import { soundParts, type Parts } from '../../drivers/sim/device/device';
import { Simulator } from '../../drivers/sim/simulator';
import { judgeRun } from '../../reports/judge/judge';
import type { JudgedRun } from '../../reports/judge/judged-run';
import { exitCode, type Verdicts } from '../../reports/judge/verdicts';
import { baselineOf } from '../../reports/gate/baseline';
import { combineRuns } from '../../reports/gate/combine-runs';
import { judgeGate } from '../../reports/gate/judge-gate';
import { knownDeviations } from '../inputs/deviations';
import { featureRules } from '../inputs/features';
import { execute, prepare } from '../run/execute';
import { TraceOfTest } from '../fixtures/trace-of-test';
import { knownOf } from '../run/known';
import { leavingAsyncEvents, leavingCompEvents, leavingCqes, type IsOver } from './fixtures/leftovers-of-device';

const clauses = loadClauses();
const deviations = knownDeviations(clauses);

/** Each entry of the list holds on one of these. */
const devices: readonly Partial<Dut>[] = [
  { provider: 'rxe', kernel: '6.1.0-56-amd64', rdmaCore: '44.0' },
  { provider: 'rxe', kernel: '6.12.117+deb13-amd64', rdmaCore: '56.1' },
  { provider: 'mlx5', kernel: '6.12', rdmaCore: '65' },
  { provider: 'irdma', kernel: '6.12', rdmaCore: '65' },
  { provider: 'bnxt_re', kernel: '6.12', rdmaCore: '65' },
  { provider: 'mana', kernel: '6.12', rdmaCore: '65' },
  { provider: 'efa', kernel: '6.12', rdmaCore: '65' },
];

/** What a device does beside what is listed of it. */
interface Defect {
  readonly what: string;
  readonly verdict: ScenarioVerdict;
  readonly exitCode: 0 | 1 | 3;
  readonly detail: RegExp;
  readonly plant?: (driver: Driver) => void;
  /** What the simulator is made of. */
  readonly parts?: (isOver: IsOver) => Partial<Parts>;
  /** The entries beside which it can show; unless given, all. */
  readonly shows?: (entry: ListedDeviation) => boolean;
  /** What a check that is listed observes. */
  readonly observes?: (observed: Data) => Data;
}

const refused = new VerbsError('ibv_close_device', 'EBUSY', -1);

const nothing: Defect = { what: 'nothing', verdict: 'deviates', exitCode: 0, detail: /; known deviation: / };

const defects: readonly Defect[] = [
  nothing,
  {
    what: 'a warning of the kernel',
    verdict: 'panic',
    exitCode: 1,
    detail: /the kernel of the device complained: WARNING.*; beside .*; known deviation: /,
    plant: (driver) => {
      let calls = 0; // the first is of what came before the scenario
      driver.kernelLog = () => (calls++ % 2 === 0 ? '' : '[ 12.3] WARNING: CPU: 0 PID: 7 at rxe_cq.c:1 rxe_cq_post');
    },
  },
  {
    what: 'a CQE too many, of another QP',
    verdict: 'fail',
    exitCode: 1,
    detail: /0xdead.*; not the known deviation/,
    observes: (observed) => [...(isList(observed) ? observed : [observed]), { qp_num: '0xdead' }],
  },
  {
    what: 'a garbled CQE',
    verdict: 'fail',
    exitCode: 1,
    detail: /GENERAL_ERR.*; not the known deviation/,
    observes: () => [{ wr_id: '0x1', status: 'IBV_WC_GENERAL_ERR' }],
  },
  {
    what: 'a leak',
    verdict: 'broken',
    exitCode: 3,
    detail: /leak: the scenario left behind qp#9; beside .*; known deviation: /,
    plant: (driver) => {
      driver.end = () => Promise.resolve(['qp#9']);
    },
  },
  {
    what: 'a clean-up that hangs',
    verdict: 'hang',
    exitCode: 1,
    detail: /destroying a device context did not return .*; beside .*; known deviation: /,
    plant: (driver) => {
      driver.closeDevice = () => new Promise(() => undefined);
    },
  },
  {
    what: 'a refusal in the clean-up',
    verdict: 'blocked',
    exitCode: 1,
    detail: /ibv_close_device\(\) was refused: .*EBUSY; beside .*; known deviation: /,
    plant: (driver) => {
      driver.closeDevice = () => Promise.reject(refused);
    },
  },
  {
    what: 'a crash',
    verdict: 'crash',
    exitCode: 1,
    detail: /died of SIGSEGV; beside .*; known deviation: /,
    plant: (driver) => {
      driver.closeDevice = () => Promise.reject(new DutCrashed('the host process died of SIGSEGV'));
    },
  },
];

/** As reports name the hook that accounts for what a scenario was given. */
const account = 'After hook "account"';

const unexpected = `${account}: unexpected in the scenario`;

/** What a device leaves on its queues when the steps are over. */
const leftovers: readonly Defect[] = beside([
  {
    what: 'a CQE that is left over',
    detail: /CQEs? of .*: no work request accounts for wr_id 0xdead/,
    parts: leavingCqes,
  },
  {
    what: 'an asynchronous event that is left over',
    detail: /1 asynchronous event IBV_EVENT_SRQ_ERR: it names something else than its type does/,
    parts: leavingAsyncEvents,
  },
  {
    what: 'a completion event that is left over',
    detail: /completion events of CQ .*: it was armed/,
    parts: leavingCompEvents,
    shows: ({ rule }: ListedDeviation) => rule.startsWith('ibv_req_notify_cq.'),
  },
]);

/** A scenario that ends where its action is refused draws up no account. */
function hasAccount(entry: ListedDeviation): boolean {
  return symptomsOf(entry).every((symptom) => typeof symptom !== 'object' || !(symptom.step ?? '').startsWith('When '));
}

function beside(defects: readonly Omit<Defect, 'verdict' | 'exitCode'>[]): Defect[] {
  return defects.map(({ shows = () => true, ...defect }) => ({
    ...defect,
    shows: (entry) => hasAccount(entry) && shows(entry),
    verdict: 'fail',
    exitCode: 1,
    detail: new RegExp(`${unexpected}.*${defect.detail.source}.*; (?:beside .*; known|not the known) deviation`),
  }));
}

/** What the device was asked for besides in a scenario of an entry that lists what the account finds. */
const listedLeftovers: Readonly<Record<string, (trace: readonly CallRecord[]) => TraceOfTest>> = {
  'Messages come after the end of the CQ was reached': (trace) => {
    const cq = madeBy(trace, 'ibv_create_cq_ex');
    return new TraceOfTest()
      .add('ibv_start_poll', { cq })
      .add('struct ibv_cq_ex', { cq }, { wrId: 0n, status: 'IBV_WC_SUCCESS' })
      .asyncEvent('IBV_EVENT_CQ_ERR', cq)
      .asyncEvent('IBV_EVENT_CQ_ERR', cq);
  },
  'The QP is moved to IBV_QPS_SQD without en_sqd_async_notify': (trace) =>
    new TraceOfTest().asyncEvent('IBV_EVENT_SQ_DRAINED', madeBy(trace, 'ibv_create_qp')),
};

function madeBy(trace: readonly CallRecord[], verb: string): string {
  return String(trace.find((record) => record.verb === verb)?.returned);
}

/** The checks that fail on the device, by their scenario and step; steps of one text fail with them in turn. */
type Failing = ReadonlyMap<string, readonly RuleViolated[]>;

function failingOn(entries: readonly ListedDeviation[], { observes = (observed) => observed }: Defect): Failing {
  const compared = (one: ListedDeviation): readonly ComparedSymptom[] =>
    symptomsOf(one).filter(
      (symptom): symptom is ComparedSymptom => typeof symptom === 'object' && symptom.step !== account,
    );
  const failing = new Map<string, RuleViolated[]>();
  for (const entry of entries)
    for (const { step, subject, expected = null, observed = null } of compared(entry)) {
      const key = keyOf(entry.scenario, step);
      const failure = new RuleViolated({ subject, expected, observed: observes(observed) });
      failing.set(key, [...(failing.get(key) ?? []), failure]);
    }
  return failing;
}

/** @param step - as it is written; the messages of a run have its keyword apart */
function keyOf(scenario: string | undefined, step = ''): string {
  return JSON.stringify([scenario, step.replace(/^(?:Given|When|Then|And|But) /, '')]);
}

/** What is not a request to the device, or belongs to no step. */
const apart: ReadonlySet<unknown> = new Set(['nowMs', 'trace', 'kernelLog', 'inTurn', 'begin', 'end']);

/** Has the first request of a step come to what a check of the step comes to on the device. */
class Spoiler {
  readonly driver: Driver;
  readonly envelopes: Envelope[] = [];
  /** Whether the steps of a scenario are over, and what they have left is taken. */
  isOver = false;
  readonly #failures = new Map<string, RuleViolated>();
  readonly #accounts = new Set<string>();
  readonly #scenarios = new Map<string, string>();
  readonly #target: Driver;
  /** The scenario that runs. */
  #scenario = '';
  #next: RuleViolated | undefined;

  constructor(
    driver: Driver,
    readonly failing: Failing,
  ) {
    this.#target = driver;
    this.driver = new Proxy(driver, {
      get: (target, name) => {
        if (name === 'trace') return () => this.#trace();
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown =>
          (apart.has(name) ? undefined : this.#take()) ?? Reflect.apply(member, target, args);
      },
    });
  }

  hear(envelope: Envelope): void {
    this.envelopes.push(envelope);
    const { testCase, testCaseStarted, testStepStarted, testStepFinished } = envelope;
    if (testCase) this.#learn(testCase);
    if (testCaseStarted) this.#scenario = this.#scenarios.get(testCaseStarted.testCaseId) ?? '';
    if (testStepStarted) this.#next = this.#failures.get(testStepStarted.testStepId);
    if (testStepStarted) this.isOver = this.#accounts.has(testStepStarted.testStepId);
    if (testStepFinished) this.#next = undefined;
  }

  #learn({ id: testCaseId, pickleId, testSteps }: TestCase): void {
    const pickle = this.envelopes.find((one) => one.pickle?.id === pickleId)?.pickle;
    this.#scenarios.set(testCaseId, pickle?.name ?? '');
    const hook = this.envelopes.find((one) => one.hook?.name === 'account')?.hook;
    for (const { id, hookId } of testSteps) if (hook !== undefined && hookId === hook.id) this.#accounts.add(id);
    const timesSeen = new Map<string, number>();
    for (const { id, pickleStepId } of testSteps) {
      const key = keyOf(pickle?.name, pickle?.steps.find((one) => one.id === pickleStepId)?.text);
      const times = timesSeen.get(key) ?? 0;
      timesSeen.set(key, times + 1);
      const failures = this.failing.get(key) ?? [];
      const failure = failures[times % failures.length];
      if (failure !== undefined) this.#failures.set(id, failure);
    }
  }

  /** A step may look at no more than the calls of those before it. */
  #trace(): readonly CallRecord[] {
    const failure = this.#next;
    this.#next = undefined;
    if (failure !== undefined) throw failure;
    const trace = this.#target.trace();
    const { calls } = (this.isOver ? listedLeftovers[this.#scenario] : undefined)?.(trace) ?? new TraceOfTest();
    const atUs = Math.max(0, ...trace.map(({ startedAt, durationUs }) => startedAt + durationUs));
    return [...trace, ...calls.map((call) => ({ ...call, startedAt: atUs + call.startedAt }))];
  }

  #take(): Promise<never> | undefined {
    const failure = this.#next;
    this.#next = undefined;
    return failure && Promise.reject(failure);
  }
}

/**
 * Runs the scenarios of the entries on the simulator, which does what they list, and a defect besides.
 *
 * @param further - other checks that fail
 * @param listed - the list of deviations
 */
async function runWith(
  entries: readonly ListedDeviation[],
  dut: Partial<Dut>,
  defect: Defect,
  further: Failing = new Map(),
  listed = deviations,
): Promise<JudgedRun> {
  let isOver = false;
  const parts = { ...soundParts, ...defect.parts?.(() => isOver) };
  const simulator = new Simulator({ parts });
  const conditions = { driver: 'soft-roce', dut: { ...simulator.dut, ...dut } };
  defect.plant?.(simulator);
  const spoiler = new Spoiler(simulator, new Map([...failingOn(entries, defect), ...further]));
  const { driver, envelopes } = spoiler;
  const known = knownOf(listed, conditions);
  const heard = (envelope: Envelope): void => {
    spoiler.hear(envelope);
    isOver = spoiler.isOver;
  };
  await execute(driver, await prepare(pathsOf(entries)), heard, known);
  const info = { suite: { version: '0', commit: '0' }, ...conditions };
  return judgeRun({ envelopes, info, clauses, deviations: listed });
}

function pathsOf(entries: readonly ListedDeviation[]): string[] {
  const names = new Set(entries.map(({ scenario }) => scenario));
  return featureRules().flatMap(({ uri, ids, scenarios }) =>
    scenarios
      .filter(({ name }) => names.has(name) && entries.some(({ rule }) => ids.includes(rule)))
      .map(({ line }) => `${uri}:${line}`),
  );
}

for (const dut of devices) {
  const entries = deviations.filter((entry) => applicability(entry, { driver: 'soft-roce', dut }).holds);

  describe(`beside each of ${entries.length} deviations of a device with kernel ${dut.kernel}`, () => {
    let expected: Verdicts;

    before(async () => {
      expected = (await runWith(entries, dut, nothing)).verdicts;
    });

    for (const defect of [...defects, ...leftovers]) {
      it(`${defect.what} is ${defect.verdict}`, async () => {
        const { scenarios, verdicts } = await runWith(entries, dut, defect);
        for (const entry of entries.filter(defect.shows ?? (() => true))) {
          const own = scenarios.filter(({ recorded }) => recorded.name === entry.scenario);
          assert.equal(own.length, 1, entry.listedAt);
          for (const { verdict, detail = '' } of own) {
            assert.equal(verdict, defect.verdict, `${entry.listedAt}: ${detail}`);
            assert.match(detail, defect.detail, entry.listedAt);
          }
        }
        assert.equal(scenarios.length, entries.length);
        assert.equal(exitCode(verdicts), defect.exitCode);
        const gated = judgeGate(baselineOf(expected), combineRuns([{ name: 'now', verdicts }]));
        assert.equal(gated.exitCode, defect.exitCode);
      });
    }
  });
}

it('all entries of the list were tried', () => {
  const tried = deviations.filter((entry) =>
    devices.some((dut) => applicability(entry, { driver: 'soft-roce', dut }).holds),
  );
  assert.deepEqual(tried, deviations);
});

describe('the steps after one that deviates', () => {
  const scenario = 'The message waits for its receive until the QP is in IBV_QPS_SQD';
  const [dut = {}] = devices;
  const entries = deviations.filter((entry) => entry.scenario === scenario);

  it('run, and what they show is not excused', async () => {
    const failure = new RuleViolated({ subject: 'the event that comes later', expected: 'an event', observed: 'none' });
    const further = new Map([
      [keyOf(scenario, 'And the device raises IBV_EVENT_SQ_DRAINED for QP "sender"'), [failure]],
    ]);
    const { scenarios } = await runWith(entries, dut, nothing, further);
    const [{ verdict, detail = '', outcome } = assert.fail()] = scenarios;
    assert.equal(verdict, 'fail');
    assert.match(detail, /^And the device raises .*; beside Then the device raises no .*; known deviation: /);
    const steps = outcome.attempt?.steps.filter(({ kind }) => kind === 'step') ?? [];
    assert.deepEqual(
      steps.map(({ result }) => result?.status),
      ['PASSED', 'PASSED', 'PASSED', 'PASSED', 'FAILED'],
    );
  });

  it('do not pass for Cucumber', async () => {
    const { scenarios } = await runWith(entries, dut, nothing);
    const hooks = scenarios
      .flatMap(({ outcome }) => outcome.attempt?.steps ?? [])
      .filter(({ kind }) => kind.endsWith('hook'));
    assert.deepEqual(
      hooks.map(({ title, result }) => [title, result?.exception?.type]).filter(([, type]) => type !== undefined),
      [['After hook "end"', 'KnownDeviation']],
    );
  });

  it('are listed where they cannot run', async () => {
    const [entry = assert.fail()] = entries;
    const step = 'When QP "sender" is moved to IBV_QPS_SQD with en_sqd_async_notify';
    const early = [{ ...entry, symptom: { step, subject: 'the move', expected: 'success', observed: 'a refusal' } }];
    const { scenarios, verdicts } = await runWith(early, dut, nothing, new Map(), early);
    const notRun = [
      'Then the device raises no IBV_EVENT_SQ_DRAINED',
      'When 1 receive is posted on QP "receiver"',
      'Then CQ "send_cq" gains 1 CQE with status IBV_WC_SUCCESS',
      'And the device raises IBV_EVENT_SQ_DRAINED for QP "sender"',
    ];
    assert.deepEqual(
      scenarios.map(({ verdict, notRun: own }) => [verdict, own]),
      [['deviates', notRun]],
    );
    const [told] = verdicts.rules.flatMap((rule) => rule.scenarios);
    assert.deepEqual(told?.notRun, notRun);
    assert.match(told.detail ?? '', /; did not run: Then the device raises no IBV_EVENT_SQ_DRAINED, When 1 receive/);
  });
});
