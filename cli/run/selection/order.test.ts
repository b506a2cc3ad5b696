import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { UsageError } from '../../../drivers/contract';
import { createDriver } from '../../../drivers/sim';
import { judgedRun } from '../judge-run';
import { orderWithSeed } from './order';
import { featurePaths } from '../../inputs/features';

const features = featurePaths();
const page = features.filter((path) => path.endsWith('/ibv_poll_cq.feature'));

interface Run {
  /** The scenarios, in the order that they ran in. */
  readonly ran: readonly string[];
  /** Their verdicts, in the order of the features. */
  readonly verdicts: readonly string[];
}

/** Runs features on a simulator that breaks a rule, so that not all verdicts are the same. */
async function run(order: string, paths: readonly string[] = features): Promise<Run> {
  const driver = await createDriver({ fault: 'overrun-is-silent', progress: () => undefined });
  const { scenarios, recording } = await judgedRun(driver, paths, order);
  const places = new Map(scenarios.map(({ recorded }) => [recorded.testCaseId, `${recorded.uri}:${recorded.line}`]));
  return {
    ran: recording.envelopes.flatMap(({ testCaseStarted }) => places.get(testCaseStarted?.testCaseId ?? '') ?? []),
    verdicts: scenarios.map(({ recorded, verdict, detail }) =>
      [places.get(recorded.testCaseId), verdict, detail].join(' '),
    ),
  };
}

describe('the order of the scenarios', () => {
  let inOrder: Run;

  before(async () => {
    inOrder = await run('defined');
  });

  it('is that of the features, and some do not pass', () => {
    assert.deepEqual(new Set(inOrder.verdicts.map((text) => text.split(' ')[1])), new Set(['pass', 'fail', 'blocked']));
    assert.equal(inOrder.ran.length, inOrder.verdicts.length);
  });

  for (const order of ['reverse', 'random:1', 'random:2']) {
    it(`may be ${order}, and the verdicts are the same`, async () => {
      const { ran, verdicts } = await run(order);
      assert.notDeepEqual(ran, inOrder.ran);
      assert.deepEqual([...ran].sort(), [...inOrder.ran].sort());
      assert.deepEqual(verdicts, inOrder.verdicts);
    });
  }

  it('comes again with its seed', async () => {
    const one = await run('random:4711', page);
    const same = await run('random:4711', page);
    const other = await run('random:4712', page);
    assert.ok(one.ran.length > 10);
    assert.deepEqual(one.ran, same.ran);
    assert.notDeepEqual(one.ran, other.ran);
  });

  it('gets a seed where it needs one', () => {
    assert.match(orderWithSeed('random'), /^random:\d+$/);
    for (const order of ['defined', 'reverse', 'random:4711', 'random:v1.2-x'])
      assert.equal(orderWithSeed(order), order);
    for (const order of ['backwards', 'random:', 'random:1:2', 'random: 1', 'Reverse', 'reverse:1', '']) {
      assert.throws(() => orderWithSeed(order), UsageError, order);
    }
  });
});
