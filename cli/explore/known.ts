import { readSpecification } from '../inputs/features';
import { applicability, isExpired, type Conditions, type Deviation } from '../../catalog/deviations';
import { symptomsOf } from '../../catalog/symptom';
import {
  fencedSendStays,
  limitAtCreation,
  localInvalidationOfUc,
  refusedSendStays,
  secondBinding,
  secondInvalidation,
  sendOfSqdStays,
  windowKeepsItsQp,
} from '../../drivers/explore/generate/avoided';
import { inPlaceOf, statusOfErrors } from '../../drivers/explore/model/known/other-status';
import { wcStatus } from '../../drivers/verbs/cq';
import { drainRefusesReset } from '../../drivers/explore/model/guided-backend';
import { srqOfUc } from '../../drivers/explore/model/guides';
import { lastWqeAgain } from '../../drivers/explore/model/guided-events';
import { sharedReceiveFails, shortDatagramFails } from '../../drivers/explore/model/known/short-receives';
import { overrunKeepsRegion } from '../../drivers/explore/oracle/kept-regions';
import { lateReceiveStays, resetQueueNeverDrains } from '../../drivers/explore/model/guided-qp';
import { workFlushesReceives } from '../../drivers/explore/model/known/late-receives';
import { timeoutOutlivesReset } from '../../drivers/explore/model/guided-requester';
import { waitingSendStays } from '../../drivers/explore/model/known/sends-left-in-sqd';
import { followingIsFlushed, rnrIsLoss, rnrTimesOut } from '../../drivers/explore/model/known/waiting-sends';
import { knownDeviations } from '../inputs/deviations';

/** What explore has found and no scenario shows, and on which devices: written up in reports/findings. */
const found: readonly (Pick<Deviation, 'when'> & { readonly what: string })[] = [
  { what: lateReceiveStays, when: { provider: 'rxe' } },
  { what: workFlushesReceives, when: { provider: 'rxe', kernel: '>6.1' } },
  { what: refusedSendStays, when: { provider: 'rxe' } },
  { what: limitAtCreation, when: { provider: 'rxe' } },
  { what: srqOfUc, when: { provider: 'rxe' } },
  { what: localInvalidationOfUc, when: { provider: 'rxe' } },
  { what: fencedSendStays, when: { provider: 'rxe' } },
  { what: windowKeepsItsQp, when: { provider: 'rxe' } },
  { what: overrunKeepsRegion, when: { provider: 'rxe' } },
  { what: secondBinding, when: { provider: 'rxe' } },
  { what: secondInvalidation, when: { provider: 'rxe' } },
  { what: drainRefusesReset, when: { provider: 'rxe' } },
  { what: sendOfSqdStays, when: { provider: 'rxe' } },
  { what: lastWqeAgain, when: { provider: 'rxe', kernel: '>6.1' } },
  { what: rnrTimesOut, when: { provider: 'rxe', kernel: '<=6.1' } },
  { what: rnrIsLoss, when: { provider: 'rxe' } },
  { what: followingIsFlushed, when: { provider: 'rxe', kernel: '>6.1' } },
  { what: shortDatagramFails, when: { provider: 'rxe', kernel: '<=6.1' } },
  { what: sharedReceiveFails, when: { provider: 'rxe', kernel: '>6.1' } },
  { what: waitingSendStays, when: { provider: 'rxe' } },
  { what: resetQueueNeverDrains, when: { provider: 'rxe', kernel: '>6.1' } },
  { what: timeoutOutlivesReset, when: { provider: 'rxe', kernel: '>6.1' } },
  {
    what: inPlaceOf('IBV_WC_LOC_QP_OP_ERR', 'IBV_WC_WR_FLUSH_ERR'),
    when: { provider: 'rxe', kernel: '>6.1' },
  },
  {
    what: inPlaceOf('IBV_WC_RNR_RETRY_EXC_ERR', 'IBV_WC_RETRY_EXC_ERR'),
    when: { provider: 'rxe', kernel: '<=6.1' },
  },
];

/** A wrong status is known as one in place of another; what departs otherwise from that clause is not known by it. */
function whatIsNotKept(deviation: Deviation): readonly string[] {
  if (deviation.rule !== statusOfErrors) return [deviation.rule];
  return symptomsOf(deviation).flatMap((one) => (typeof one === 'string' ? [] : swapsIn(one.expected, one.observed)));
}

/** The statuses that stand in the same place of what was expected and of what was observed, and are not the same. */
function swapsIn(expected: unknown, observed: unknown): readonly string[] {
  if (isStatus(expected) && isStatus(observed)) return expected === observed ? [] : [inPlaceOf(expected, observed)];
  if (typeof expected !== 'object' || typeof observed !== 'object' || !expected || !observed) return [];
  return Object.entries(expected).flatMap(([name, one]) => swapsIn(one, (observed as Record<string, unknown>)[name]));
}

const isStatus = (value: unknown): value is string => (wcStatus.names as readonly unknown[]).includes(value);

/** The clauses that a device is known not to keep: those of the deviations that are listed, and what explore has found. */
export function clausesNotKept(conditions: Conditions, nowMs = Date.now()): ReadonlySet<string> {
  const holds = (entry: Pick<Deviation, 'when'>): boolean => applicability(entry, conditions).holds;
  const listed = knownDeviations(readSpecification().clauses).filter(
    (entry) => holds(entry) && !isExpired(entry, nowMs),
  );
  return new Set([...listed.flatMap(whatIsNotKept), ...found.filter(holds).map(({ what }) => what)]);
}
