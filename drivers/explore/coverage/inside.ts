import type { Handle, QpType } from '../../contract';
import type { EventFile } from '../../sim/channel/event-file';
import type { Cq, NotifyRequest } from '../../sim/cq/cq';
import type { CqIterator } from '../../sim/cq/cq-iterator';
import type { Device } from '../../sim/device/device';
import type { Mr } from '../../sim/mr/memory';
import type { Mw } from '../../sim/mw/memory-window';
import type { Qp } from '../../sim/qp/qp';
import type { Srq } from '../../sim/srq/srq';

/** What objects of the simulator keep to themselves and their subclasses, for one who only looks. */
interface Inside {
  readonly cq: { readonly cqes: readonly unknown[]; readonly capacity: number; readonly overrun: boolean } & {
    readonly request: NotifyRequest | undefined;
  };
  readonly iterator: { readonly current: { readonly wc: { readonly status: string } } | undefined };
  readonly file: { readonly events: readonly unknown[] };
  readonly qp: { readonly requester: { readonly sends: readonly unknown[] } };
  readonly srq: { readonly limit: number };
  readonly device: { readonly qps: ReadonlyMap<number, Qp> };
}

export const insideCq = (cq: Cq): Inside['cq'] => cq as unknown as Inside['cq'];
export const insideIterator = (iterator: CqIterator): Inside['iterator'] => iterator as unknown as Inside['iterator'];

/** Events that wait in a file. */
export const queuedIn = (file: EventFile<unknown>): number => (file as unknown as Inside['file']).events.length;

/** Send WRs that have not completed. */
export const sendsOf = (qp: Qp): number => (qp as unknown as Inside['qp']).requester.sends.length;

export const limitOf = (srq: Srq): number => (srq as unknown as Inside['srq']).limit;

/** Whether a window shows anything to the peer of some QP. */
export function isBound(mw: Mw, device: Device): boolean {
  return [...(device as unknown as Inside['device']).qps.values()].some((qp) => mw.isBoundFor(qp));
}

/** `RC` of `IBV_QPT_RC`. */
export const shortType = (type: QpType): string => type.replace('IBV_QPT_', '');

/** What peers may do with a region. */
export function rightsOf({ access }: Pick<Mr, 'access'>): string {
  const rights = ['write', 'read', 'atomic'].filter((one) =>
    [...access].some((flag) => flag === `IBV_ACCESS_REMOTE_${one.toUpperCase()}`),
  );
  return rights.length === 0 ? 'for nobody else' : `for ${rights.join(', ')} of peers`;
}

/** An object by its handle. */
export type Find = (handle: Handle) => object | undefined;
