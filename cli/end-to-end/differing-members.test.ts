import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDriver } from '../../drivers/sim';
import { failureOf } from '../../reports/diagnosis/failures';
import { differingIn } from '../../reports/diagnosis/members/differing';
import { featureRules } from '../inputs/features';
import { judgedRun, pathOf } from '../run/judge-run';

/** What the failures of a rule under a fault show of completions. */
async function shownBy(fault: string, rule: string): Promise<ReadonlySet<string>> {
  const rules = featureRules().filter(({ ids }) => ids.includes(rule));
  const driver = await createDriver({ fault, progress: () => undefined });
  const { scenarios } = await judgedRun(driver, rules.map(pathOf));
  return new Set(scenarios.flatMap((one) => [...differingIn(failureOf(one)?.finding.comparison)]));
}

describe('what steps say of completions', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['byte-len-with-immediate', 'ibv_poll_cq.field-byte-len', 'byte_len'],
    ['failed-status-is-general', 'ibv_poll_cq.error-valid-status', 'status'],
    ['invalidation-flag-of-kernel', 'ibv_poll_cq.flag-with-inv', 'wc_flags'],
    ['failed-wr-id-lost', 'ibv_poll_cq.error-valid-wr-id', 'wr_id'],
    ['cqe-comes-twice', 'ibv_poll_cq.removed-once-polled', 'count'],
  ];
  for (const [fault, rule, member] of cases) {
    it(`is understood by the diagnosis: ${fault} shows ${member}`, async () => {
      assert.ok((await shownBy(fault, rule)).has(member), [...(await shownBy(fault, rule))].join(' '));
    });
  }
});
