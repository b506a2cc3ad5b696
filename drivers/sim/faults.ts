import type { Fault } from './faults/fault';
import { nearest, UsageError } from '../contract';
import { soundParts, type Parts } from './device/device';
import { faults as again } from './faults/async/again';
import { faults as boundaries } from './faults/cq/boundaries';
import { faults as channels } from './faults/channel/channels';
import { faults as completionEvents } from './faults/channel/completion-events';
import { faults as completionMembers } from './faults/cq/completion-members';
import { faults as completionQueues } from './faults/cq/completion-queues';
import { faults as contexts } from './faults/device/contexts';
import { faults as createCompChannel } from './faults/channel/ibv_create_comp_channel';
import { faults as createCq } from './faults/cq/ibv_create_cq';
import { faults as createCqEx } from './faults/cq/ibv_create_cq_ex';
import { faults as extendedCqs } from './faults/cq/extended-cqs';
import { faults as depths } from './faults/cq/depths';
import { faults as eventTypeStr } from './faults/enum/ibv_event_type_str';
import { faults as failedWork } from './faults/cq/failed-work';
import { faults as getAsyncEvent } from './faults/async/ibv_get_async_event';
import { faults as getCqEvent } from './faults/channel/ibv_get_cq_event';
import { faults as interactions } from './faults/cq/interactions';
import { faults as many } from './faults/cq/many';
import { faults as moderatedCqs } from './faults/cq/moderated-cqs';
import { faults as modifyCq } from './faults/cq/ibv_modify_cq';
import { faults as neighbours } from './faults/cq/neighbours';
import { faults as pollCq } from './faults/cq/ibv_poll_cq';
import { faults as refusedCalls } from './faults/cq/refused-calls';
import { faults as refusedGets } from './faults/channel/refused-gets';
import { faults as reqNotifyCq } from './faults/cq/ibv_req_notify_cq';
import { faults as requests } from './faults/cq/requests';
import { faults as resizedCqs } from './faults/cq/resized-cqs';
import { faults as resizeCq } from './faults/cq/ibv_resize_cq';
import { faults as waitingGets } from './faults/channel/waiting-gets';
import { faults as modesAndMembers } from './faults/channel/modes-and-members';

/** The planted faults: of each man page, and of what several have in common. A name is used once among all. */
export const faultLists: readonly Readonly<Record<string, Fault>>[] = [
  reqNotifyCq,
  getCqEvent,
  pollCq,
  createCompChannel,
  createCq,
  createCqEx,
  resizeCq,
  modifyCq,
  getAsyncEvent,
  eventTypeStr,
  completionEvents,
  completionQueues,
  channels,
  completionMembers,
  extendedCqs,
  requests,
  interactions,
  failedWork,
  refusedCalls,
  resizedCqs,
  boundaries,
  again,
  waitingGets,
  modesAndMembers,
  contexts,
  many,
  depths,
  neighbours,
  moderatedCqs,
  refusedGets,
];

/** The planted faults by name. */
export const faults: Readonly<Record<string, Fault>> = Object.assign({}, ...faultLists) as Record<string, Fault>;

/** The classes of the simulator with a fault among them. */
export function partsWith(fault: Fault): Parts {
  return { ...soundParts, ...fault.parts };
}

/** The sound classes of the simulator, or those with the fault of that name. @throws UsageError if there is none */
export function partsFor(faultName: string | undefined): Parts {
  if (faultName === undefined) return soundParts;
  const fault = Object.hasOwn(faults, faultName) ? faults[faultName] : undefined;
  if (fault !== undefined) return partsWith(fault);
  const near = nearest(faultName, Object.keys(faults));
  const remedy = near === undefined ? '`verbspec faults` lists them' : `did you mean ${near}?`;
  throw new UsageError(`unknown fault "${faultName}"`, remedy);
}
