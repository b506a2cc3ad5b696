import type { Handle } from '../../contract';

/** What a scenario may leave behind, as it is at one moment: the full answer to `leftovers`. */
export interface Leftovers {
  readonly handles: readonly Handle[];
  /** What the open descriptors of RDMA stand for: `/dev/infiniband/uverbs0`, an event queue, … */
  readonly files: readonly string[];
  /** Objects of the device by kind, those of all processes, as `rdma resource` counts them. */
  readonly resources: Readonly<Record<string, number>>;
  /** The taint of the kernel; `undefined` if it cannot be read. */
  readonly tainted: number | undefined;
}

/**
 * What exists now and did not before, in words.
 *
 * @param ownsDevice - whether no other process uses the device, so that each of its objects is this host's
 */
export function newLeftovers(before: Leftovers, now: Leftovers, ownsDevice: boolean): string[] {
  return [...now.handles, ...newFiles(before.files, now.files), ...(ownsDevice ? newResources(before, now) : [])];
}

function newFiles(before: readonly string[], now: readonly string[]): string[] {
  const known = [...before];
  return now.flatMap((file) => {
    const at = known.indexOf(file);
    if (at < 0) return [`an open ${file}`];
    known.splice(at, 1);
    return [];
  });
}

function newResources(before: Leftovers, now: Leftovers): string[] {
  return Object.entries(now.resources).flatMap(([kind, count]) => {
    const more = count - (before.resources[kind] ?? 0);
    return more > 0 ? [`${more} ${kind} in the kernel`] : [];
  });
}
