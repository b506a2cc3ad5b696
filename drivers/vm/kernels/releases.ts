import { UsageError } from '../../contract';

/** A Debian suite and the kernels that it carries. */
export interface Suite {
  readonly name: string;
  /** As users name it: the kernel series of the suite. */
  readonly series: string;
  readonly holds: RegExp;
  /** Version of its rdma-core; of sid, which moves on, only the archive knows. */
  readonly rdmaCore?: string;
  readonly hasSecurity: boolean;
}

/** Suites whose kernels carry rdma_rxe, each with its series. What is newer than a release of Debian is in sid. */
export const suites: readonly Suite[] = [
  { name: 'bookworm', series: '6.1', holds: /^6\.1(?!\d)/, rdmaCore: '44', hasSecurity: true },
  { name: 'trixie', series: '6.12', holds: /^6\.12(?!\d)/, rdmaCore: '56', hasSecurity: true },
  { name: 'sid', series: '7.2', holds: /^([7-9]|\d\d+)\.\d/, hasSecurity: false },
];

/** Whether a user who says `6.1` or `6.1.0-56-amd64` may mean a text: a release begins so. */
export function looksLikeRelease(text: string): boolean {
  return /^\d+(\.\d+)+([-+.~][\w.+~-]*)?$/.test(text);
}

/** The suite to look in. @throws UsageError that lists the known ones */
export function suiteOf(wanted: string): Suite {
  const suite = suites.find(({ holds }) => holds.test(wanted));
  if (suite !== undefined) return suite;
  const known = suites.map(({ series, name }) => `${series} (${name})`).join(', ');
  throw new UsageError(`unknown kernel '${wanted}'`, `known are ${known}, and folders with boot/ and lib/modules/`);
}

/** Newest release that is `wanted` or begins with it at a boundary: 6.1 means 6.1.0-56-amd64, not 6.12. */
export function newestMatch(wanted: string, releases: readonly string[]): string | undefined {
  return releases
    .filter((release) => release === wanted || /^[.+~-]$/.test(release.slice(wanted.length, wanted.length + 1)))
    .filter((release) => release.startsWith(wanted))
    .sort(compareReleases)
    .at(-1);
}

/** Orders releases by their numbers: 6.1.0-9 is before 6.1.0-10. */
export function compareReleases(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
