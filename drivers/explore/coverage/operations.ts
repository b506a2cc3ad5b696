import type { TraceStruct, TraceValue } from '../../contract';
import { structsOf } from '../../pipeline/values';
import type { Context } from '../../sim/device/context';
import type { CompChannel } from '../../sim/channel/comp-channel';
import { EventSource } from '../../sim/channel/event-file';
import type { Cq } from '../../sim/cq/cq';
import type { Device } from '../../sim/device/device';
import { Mr } from '../../sim/mr/memory';
import type { Mw } from '../../sim/mw/memory-window';
import type { Qp } from '../../sim/qp/qp';
import type { Srq } from '../../sim/srq/srq';
import type { TakenEvent } from '../../sim/verbs/objects';
import type { VerbName } from '../../verbs';
import { notThere, type Situation } from './cell';
import { insideCq, isBound, queuedIn, rightsOf, type Find } from './inside';
import { stateOfBatch, stateOfCq, stateOfFile, stateOfQp, stateOfSrq, type Beside } from './states';

/** Where a call is made. */
export interface Scene extends Beside {
  readonly device: Device;
  readonly find: Find;
}

type Args = TraceStruct;
type Tell = (args: Args, scene: Scene, verb: string) => Situation | undefined;

const counted = (count: number): string => (count === 0 ? 'nothing' : count === 1 ? 'one' : 'several');
const textIn = (value: TraceValue | undefined): string => (typeof value === 'string' ? value : '');
const sizeOf = (args: Args, name: string): number => structsOf(args, name).length;

/** A call that makes an object of a kind. */
const making =
  (kind: Situation['kind'], detail: (args: Args, scene: Scene) => string = () => ''): Tell =>
  (args, scene, verb) => ({ kind, state: notThere, operation: `${verb}${detail(args, scene)}` });

const onCq =
  (detail: (args: Args, cq: Cq) => string = () => ''): Tell =>
  (args, { find }, verb) => {
    const cq = find(textIn(args.cq)) as Cq | undefined;
    return cq && { kind: 'CQ', state: stateOfCq(cq), operation: `${verb}${detail(args, cq)}` };
  };

const onBatch: Tell = (args, scene, verb) => {
  const cq = scene.find(textIn(args.cq)) as Cq | undefined;
  return cq && { kind: 'batch of an extended CQ', state: stateOfBatch(cq, scene), operation: verb };
};

/** A call about the events of a channel or of a context. */
const onSource =
  (of: string, detail: (args: Args) => string = () => ''): Tell =>
  (args, scene, verb) => {
    const source = scene.find(textIn(args[of]));
    if (!(source instanceof EventSource)) return undefined;
    const kind = isChannel(source) ? 'completion channel' : 'context';
    return { kind, state: stateOfFile(source.eventFile, scene), operation: `${verb}${detail(args)}` };
  };

const isChannel = (source: EventSource): source is CompChannel => 'cqs' in source;

const onQp =
  (detail: (args: Args) => string = () => ''): Tell =>
  (args, { find }, verb) => {
    const qp = find(textIn(args.qp)) as Qp | undefined;
    return qp && { kind: 'QP', state: stateOfQp(qp), operation: `${verb}${detail(args)}` };
  };

const onSrq =
  (detail: (args: Args) => string = () => ''): Tell =>
  (args, { find }, verb) => {
    const srq = find(textIn(args.srq)) as Srq | undefined;
    return srq && { kind: 'SRQ', state: stateOfSrq(srq), operation: `${verb}${detail(args)}` };
  };

const other =
  (detail: (args: Args) => string = () => ''): Tell =>
  (args, _scene, verb) => ({ kind: 'others', state: 'any', operation: `${verb}${detail(args)}` });

const posting = (args: Args): string => (sizeOf(args, 'wrs') > 1 ? ' of a list' : '');

function modification({ attr, attrMask }: Args): string {
  const { qpState } = attr as TraceStruct;
  const counts = (attrMask as readonly string[]).includes('IBV_QP_STATE');
  return counts && typeof qpState === 'string' ? ` to ${qpState}` : ' of attributes alone';
}

/** The size that is asked for, beside what the CQ holds and has room for. */
function resizing({ cqe }: Args, cq: Cq): string {
  const asked = Number(cqe);
  const { cqes, capacity } = insideCq(cq);
  if (asked > cq.context.device.maxCqe) return ' past the maximum';
  if (asked < cqes.length) return ' below its CQEs';
  return asked < capacity ? ' to less' : asked === capacity ? ' to the same' : ' to more';
}

/** Asked for more than a device has, or for a vector that it does not have. */
function cqAsked(args: Args, { device }: Scene): string {
  const { cqe, compVector, channel } = (args.cqAttr as TraceStruct | undefined) ?? args;
  if (Number(cqe) > device.maxCqe) return ' past the maximum';
  if (Number(compVector) < 0 || Number(compVector) >= device.numCompVectors) return ' on a vector that is not there';
  return channel === null ? ' without a channel' : ' on a channel';
}

function polling({ timeoutMs }: Args): string {
  const ms = Number(timeoutMs);
  return ms < 0 ? ' without end' : ms === 0 ? ' at once' : ' for a time';
}

function fileControl({ cmd, flags }: Args): string {
  if (cmd === 'F_GETFL') return ' F_GETFL';
  return ` F_SETFL ${(flags as readonly string[]).includes('O_NONBLOCK') ? 'O_NONBLOCK' : '0'}`;
}

const ackingCq = ({ nevents }: Args): string => ` of ${counted(Number(nevents))}`;

function onEvent(args: Args, scene: Scene, verb: string): Situation | undefined {
  const taken = scene.find(textIn(args.event)) as TakenEvent | undefined;
  return (
    taken && {
      kind: 'context',
      state: stateOfFile(taken.queue, scene),
      operation: `${verb} of ${taken.event.eventType}`,
    }
  );
}

const onRegion: Tell = (args, { find }, verb) => {
  const mr = find(textIn(args.mr));
  return mr instanceof Mr ? { kind: 'memory', state: `region ${rightsOf(mr)}`, operation: verb } : undefined;
};

const onWindow: Tell = (args, { find, device }, verb) => {
  const mw = find(textIn(args.mw)) as Mw | undefined;
  return mw && { kind: 'memory', state: isBound(mw, device) ? 'window, bound' : 'window, not bound', operation: verb };
};

const registering = ({ access }: Args): string => ` ${rightsOf({ access: new Set(access as readonly never[]) })}`;

function limiting({ srqAttr, srqAttrMask }: Args): string {
  if ((srqAttrMask as readonly string[]).length === 0) return ' of nothing';
  if ((srqAttrMask as readonly string[]).includes('IBV_SRQ_MAX_WR')) return ' to a size';
  return Number((srqAttr as TraceStruct).srqLimit) > 0 ? ' to a limit' : ' to no limit';
}

const tells: { readonly [Name in VerbName]?: Tell } = {
  ibv_create_cq: making('CQ', cqAsked),
  ibv_create_cq_ex: making('CQ', cqAsked),
  ibv_destroy_cq: onCq(),
  ibv_resize_cq: onCq(resizing),
  ibv_modify_cq: onCq(({ attr }) =>
    ((attr as TraceStruct).attrMask as readonly string[]).length > 0 ? ' of moderation' : ' of nothing',
  ),
  ibv_req_notify_cq: onCq(({ solicitedOnly }) => (solicitedOnly === 0 ? ' for any' : ' for solicited')),
  ibv_poll_cq: onCq(({ numEntries }) => ` for ${counted(Number(numEntries))}`),
  'struct ibv_cq': onCq(),
  ibv_ack_cq_events: onCq(ackingCq),
  ibv_start_poll: onBatch,
  ibv_next_poll: onBatch,
  ibv_end_poll: onBatch,
  'struct ibv_cq_ex': onBatch,
  ibv_create_comp_channel: making('completion channel'),
  ibv_destroy_comp_channel: onSource('channel'),
  'struct ibv_comp_channel': onSource('channel'),
  ibv_get_cq_event: onSource('channel'),
  poll: onSource('source', polling),
  fcntl: onSource('source', fileControl),
  ibv_open_device: making('context'),
  ibv_close_device: onSource('context'),
  ibv_query_device: onSource('context'),
  ibv_query_device_ex: onSource('context'),
  ibv_query_port: onSource('context'),
  ibv_get_async_event: onSource('context'),
  ibv_ack_async_event: onEvent,
  ibv_create_qp: making('QP', ({ qpInitAttr }) => ` ${textIn((qpInitAttr as TraceStruct).qpType)}`),
  ibv_modify_qp: onQp(modification),
  ibv_query_qp: onQp(),
  ibv_destroy_qp: onQp(),
  ibv_post_send: onQp(posting),
  ibv_post_recv: onQp(posting),
  ibv_create_srq: making('SRQ'),
  ibv_modify_srq: onSrq(limiting),
  ibv_query_srq: onSrq(),
  ibv_destroy_srq: onSrq(),
  ibv_post_srq_recv: onSrq(posting),
  ibv_reg_mr: making('memory', registering),
  ibv_dereg_mr: onRegion,
  ibv_alloc_mw: making('memory'),
  ibv_dealloc_mw: onWindow,
  ibv_alloc_pd: other(),
  ibv_dealloc_pd: other(),
  ibv_create_ah: other(),
  ibv_destroy_ah: other(),
  'memory allocate': other(),
  'memory free': other(),
  'memory read': other(),
  'memory write': other(),
  ibv_event_type_str: other(),
  ibv_node_type_str: other(),
  ibv_port_state_str: other(),
  setrlimit: other(({ soft }) => (soft === null ? ' back' : ' to few descriptors')),
};

/** What a call is about, and in which state that is; nothing where the call names what is not there. */
export function situationOf(verb: VerbName, args: TraceStruct, scene: Scene): Situation | undefined {
  const tell = tells[verb] ?? (verb.startsWith('ibv_wc_read_') ? onBatch : undefined);
  return tell?.(args, scene, verb);
}

/** Whether a call has to wait for what somebody else does. */
export function hasToWait(verb: VerbName, args: TraceStruct, { find }: Scene): boolean {
  const object = find(textIn(Object.values(args)[0]));
  if (verb === 'ibv_get_cq_event' || verb === 'ibv_get_async_event' || (verb === 'poll' && Number(args.timeoutMs) < 0))
    return object instanceof EventSource && queuedIn((object as CompChannel | Context).eventFile) === 0;
  return verb.startsWith('ibv_destroy_') && object !== undefined && 'destroyable' in object && !object.destroyable;
}
