import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inPlaceOf, statusOfErrors } from '../../drivers/explore/model/known/other-status';
import { lastWqeAgain } from '../../drivers/explore/model/guided-events';
import { resetQueueNeverDrains } from '../../drivers/explore/model/guided-qp';
import { workFlushesReceives } from '../../drivers/explore/model/known/late-receives';
import { timeoutOutlivesReset } from '../../drivers/explore/model/guided-requester';
import { waitingSendStays } from '../../drivers/explore/model/known/sends-left-in-sqd';
import { rnrIsLoss, rnrTimesOut } from '../../drivers/explore/model/known/waiting-sends';
import { clausesNotKept } from './known';

/** What is known of soft-RoCE of that kernel. */
const knownOf = (kernel: string): ReadonlySet<string> =>
  clausesNotKept({ driver: 'soft-roce', dut: { provider: 'rxe', kernel, rdmaCore: '44.0' } });

test('what explore has found is known of the kernels that have it', () => {
  assert.ok(knownOf('6.1.0-56-amd64').has(rnrTimesOut));
  assert.ok(!knownOf('6.12.118+deb13-amd64').has(rnrTimesOut));
  assert.ok(knownOf('6.12.118+deb13-amd64').has(lastWqeAgain));
  assert.ok(!knownOf('6.1.0-56-amd64').has(lastWqeAgain));
  for (const what of [timeoutOutlivesReset, workFlushesReceives, resetQueueNeverDrains]) {
    assert.ok(knownOf('6.12.118+deb13-amd64').has(what));
    assert.ok(!knownOf('6.1.0-56-amd64').has(what));
  }
  for (const what of [rnrIsLoss, waitingSendStays]) assert.ok(knownOf('6.1.0-56-amd64').has(what));
  assert.ok(!clausesNotKept({ driver: 'hca', dut: { provider: 'mlx5', kernel: '6.1.0' } }).has(rnrTimesOut));
});

test('a wrong status is known as that in place of another, and no other is', () => {
  const known = knownOf('6.1.0-56-amd64');
  assert.ok(known.has(inPlaceOf('IBV_WC_LOC_PROT_ERR', 'IBV_WC_LOC_QP_OP_ERR')));
  assert.ok(!known.has(inPlaceOf('IBV_WC_REM_ACCESS_ERR', 'IBV_WC_REM_OP_ERR')));
  assert.ok(!known.has(statusOfErrors));
});
