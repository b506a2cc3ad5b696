import type { eventType } from '../../drivers/contract';
import { type Handle } from '../../drivers/contract';

/** A type of asynchronous event that the header has. */
export type AsyncEventType = (typeof eventType)['names'][number];

/** What a scenario did that makes asynchronous events lawful. */
export interface AsyncCauses {
  /** How many CQEs a CQ can have lost. */
  lostCompletions(cq: Handle): number;
  /** How often a QP was moved to a state. */
  movesTo(qp: Handle, state: string): number;
  /** How often it was asked to tell that its send queue is drained. */
  drains(qp: Handle): number;
  /** How often its path was to migrate. */
  migrations(qp: Handle): number;
  hasSrq(qp: Handle): boolean;
  /** Whether anything was sent that a QP can have stumbled over. */
  readonly hasSent: boolean;
  /** How often the limit of an SRQ was armed. */
  limits(srq: Handle): number;
}

/** What an event of a type names, and how many of them there can be at most. */
export interface EventCause {
  readonly names: 'cq' | 'qp' | 'srq' | 'port' | 'nothing';
  readonly most: (causes: AsyncCauses, element: Handle) => number;
}

const foreign = (): number => Infinity;
const never = (): number => 0;

/** A QP fails once, and once more each time that it was reset. */
const failures = (causes: AsyncCauses, qp: Handle): number => 1 + causes.movesTo(qp, 'IBV_QPS_RESET');

const ofPort: EventCause = { names: 'port', most: foreign };
const ofFailedQp: EventCause = {
  names: 'qp',
  most: (causes, qp) => (causes.hasSent ? failures(causes, qp) : 0),
};
const ofMigration: EventCause = { names: 'qp', most: (causes, qp) => causes.migrations(qp) };

/** What ibv_get_async_event(3) says of each type; ports and the device have a life of their own. */
export const eventCauses: Readonly<Record<AsyncEventType, EventCause>> = {
  IBV_EVENT_QP_FATAL: ofFailedQp,
  IBV_EVENT_QP_REQ_ERR: ofFailedQp,
  IBV_EVENT_QP_ACCESS_ERR: ofFailedQp,
  IBV_EVENT_COMM_EST: { names: 'qp', most: (causes, qp) => causes.movesTo(qp, 'IBV_QPS_RTR') },
  IBV_EVENT_SQ_DRAINED: { names: 'qp', most: (causes, qp) => causes.drains(qp) },
  IBV_EVENT_QP_LAST_WQE_REACHED: {
    names: 'qp',
    most: (causes, qp) => (causes.hasSrq(qp) ? failures(causes, qp) : 0),
  },
  IBV_EVENT_PATH_MIG: ofMigration,
  IBV_EVENT_PATH_MIG_ERR: ofMigration,
  IBV_EVENT_CQ_ERR: { names: 'cq', most: (causes, cq) => causes.lostCompletions(cq) },
  IBV_EVENT_SRQ_ERR: { names: 'srq', most: never },
  IBV_EVENT_SRQ_LIMIT_REACHED: { names: 'srq', most: (causes, srq) => causes.limits(srq) },
  IBV_EVENT_WQ_FATAL: { names: 'nothing', most: never },
  IBV_EVENT_PORT_ACTIVE: ofPort,
  IBV_EVENT_PORT_ERR: ofPort,
  IBV_EVENT_LID_CHANGE: ofPort,
  IBV_EVENT_PKEY_CHANGE: ofPort,
  IBV_EVENT_SM_CHANGE: ofPort,
  IBV_EVENT_CLIENT_REREGISTER: ofPort,
  IBV_EVENT_GID_CHANGE: ofPort,
  IBV_EVENT_DEVICE_FATAL: { names: 'nothing', most: foreign },
};

/** Whether the header has that type. */
export const isAsyncEventType = (name: string): name is AsyncEventType => Object.hasOwn(eventCauses, name);
