import { fencedSendStays } from '../avoided';
import { endUnheard, keepQueues } from './lives/busy';
import { sendByOtherKeys } from './datagrams';
import { useOverAndOver } from './dense';
import { behindTheWindow, throughTheRegion } from './memory/keys';
import { countSends, drainList, overrunTwice, sendSolicited, sendWhatIsRead, waitWithKinds } from './kinds';
import { liveTwice, useUpQueues } from './lives/lives';
import { gatherFromTwo } from './memory/gather';
import { leaveWorkBehind } from './lives/leftovers';
import { drainInAnyWay } from './changes/draining';
import { refuseInTheMidst } from './lists';
import { modifyOverAndOver } from './changes/modifies';
import {
  endBeforeOthersTell,
  endBesideOthersOnTheChannel,
  failBesideOthers,
  followOnTheChannel,
  readTwoAtOnce,
} from './lives/neighbours';
import { makeAgain } from './lives/reborn';
import { closeAndOpen, endTheWindow } from './memory/reopen';
import { sendToOthers } from './shapes/addresses';
import { carryAllLengths } from './shapes/lengths';
import { gatherInAnyShape } from './shapes/lists-of-entries';
import { doTheSameAtOnce } from './threads';
import { goAnywhere } from './changes/transitions';
import { flushWhatWaits, reachHighLimit, receiveTooShort } from './waits';
import { setBoundaryValues } from './values/attributes';
import { makeOfAnySize } from './values/capacities';
import { askInContexts } from './values/device-questions';
import { gatherBesideOthers } from './values/moderation';
import { moveTheLimit } from './values/srq-limits';
import { bindOverAndOver, bindTwice } from './memory/windows';
import { move, type Move } from '../moves/move';

/** What moves seldom come to: the same in each state, of each kind, with each right, and once more. */
export const seldom: readonly Move[] = [
  move(6, useOverAndOver),
  move(3, liveTwice),
  move(1.5, keepQueues),
  move(0.7, endUnheard, (w) => w.has('srq') && w.has('last-wqe-event')),
  move(1.5, useUpQueues),
  move(3, sendSolicited, (w) => w.has('cq-notifications') && w.has('solicited-events')),
  move(1.5, waitWithKinds),
  move(1, sendWhatIsRead, (w) => !w.avoided.has(fencedSendStays)),
  move(1, countSends),
  move(1, drainList, (w) => w.has('sq-drain')),
  move(0.5, overrunTwice),
  move(3, throughTheRegion),
  move(3, behindTheWindow, (w) => w.has('memory-windows')),
  move(2, bindTwice, (w) => w.has('memory-windows')),
  move(3, bindOverAndOver, (w) => w.has('memory-windows')),
  move(2.5, gatherFromTwo),
  move(1, flushWhatWaits),
  move(3, leaveWorkBehind),
  move(2, makeAgain),
  move(1, endBeforeOthersTell, (w) => w.has('sq-drain') || (w.has('srq') && w.has('last-wqe-event'))),
  move(1, failBesideOthers, (w) => w.has('srq')),
  move(1, followOnTheChannel, (w) => w.has('cq-notifications')),
  move(1, endBesideOthersOnTheChannel, (w) => w.has('cq-notifications')),
  move(0.7, readTwoAtOnce, (w) => w.has('extended-cq')),
  move(2, sendByOtherKeys, (w) => w.has('ud')),
  move(2, refuseInTheMidst),
  move(3, modifyOverAndOver),
  move(3, goAnywhere),
  move(2, drainInAnyWay, (w) => w.has('sq-drain')),
  move(1, doTheSameAtOnce),
  move(2.5, carryAllLengths),
  move(3, gatherInAnyShape),
  move(2.5, sendToOthers, (w) => w.has('ud')),
  move(3, setBoundaryValues),
  move(2, makeOfAnySize),
  move(1.5, moveTheLimit, (w) => w.has('srq')),
  move(1, gatherBesideOthers, (w) => w.has('cq-notifications') && w.has('cq-moderation')),
  move(0.7, askInContexts),
  move(2, closeAndOpen),
  move(1, endTheWindow, (w) => w.has('memory-windows')),
  move(0.7, receiveTooShort, (w) => w.has('srq')),
  move(0.5, reachHighLimit, (w) => w.has('srq')),
];
