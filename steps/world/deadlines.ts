import { rnrTimerUs } from '../../drivers/contract';
import { usualBringUp } from '../qp/connection';
import type { ConnectedQp, VerbsWorld } from './world';

/** Each try lasts up to four times what its attribute says. */
const triesLastMax = 4;

/** A device may raise a shorter timeout to this code, 4.096 µs · 2^18 = 1.07 s. */
const timeoutRaisedTo = 18;

/** Milliseconds for all that is not retries. */
const besideMs = 5000;

/** What a device does without end. */
const unlimited = { timeout: 0, rnrRetry: 7 };

/** Whole milliseconds that something which has to happen in a scenario may take: longer where it comes after retries. */
export function eventMsOf({ driver, qps }: VerbsWorld): number {
  const all = [...qps.values()];
  return Math.ceil(Math.max(driver.limits.eventMs, ...all.flatMap((qp) => [noAnswerMs(qp), noReceiveMs(qp, all)])));
}

/** Milliseconds until a QP gives up a peer that does not answer, where the scenario has chosen that; 0 otherwise. */
function noAnswerMs({ qpType, timeout, retryCnt }: ConnectedQp): number {
  const isChosen = timeout !== usualBringUp.timeout || retryCnt !== usualBringUp.retryCnt;
  if (qpType !== 'IBV_QPT_RC' || !isChosen || timeout === unlimited.timeout) return 0;
  const tryMs = (4.096 * 2 ** Math.max(timeout, timeoutRaisedTo)) / 1000;
  return triesLastMax * (retryCnt + 1) * tryMs + besideMs;
}

/** Milliseconds until a QP gives up a peer that has no receive. */
function noReceiveMs({ qpType, rnrRetry, peer }: ConnectedQp, all: readonly ConnectedQp[]): number {
  if (qpType !== 'IBV_QPT_RC' || rnrRetry === unlimited.rnrRetry) return 0;
  const minRnrTimer = all.find(({ qp }) => qp === peer)?.minRnrTimer ?? usualBringUp.minRnrTimer;
  return rnrRetry * triesLastMax * (rnrTimerUs(minRnrTimer) / 1000) + besideMs;
}
