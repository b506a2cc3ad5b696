import { readFileSync } from 'node:fs';
import type { RdmaCore } from '../linux/rdma-core';

/** What executes the verbs in this process: paths, or `null` where one is unknown. */
export interface LoadedRdmaCore {
  readonly library: string | null;
  /** Provider of the device that is open. */
  readonly provider: string | null;
  /** All files that are loaded. */
  readonly files: readonly string[];
}

/** Paths of the files that are mapped into this process, the loaded libraries among them. */
export function loadedFiles(maps = readFileSync('/proc/self/maps', 'utf8')): readonly string[] {
  return [...new Set([...maps.matchAll(/ (\/.*)$/gm)].flatMap(([, path]) => path ?? []))];
}

/** What is wrong with a process that shall run on one rdma-core and nothing of another, or `undefined` if nothing is. */
export function mixtureOf(asked: RdmaCore, { library, provider, files }: LoadedRdmaCore): string | undefined {
  const strangers = asked.strangersAmong(files);
  const isWhole = [library, provider].every((path) => path !== null && asked.holds(path));
  if (isWhole && strangers.length === 0) return undefined;
  const used = `libibverbs ${library ?? 'of no known file'} and provider ${provider ?? 'of no known file'}`;
  const beside = isWhole ? `, and has loaded ${strangers.join(', ')}` : '';
  return `the host runs on ${used}${beside} instead of ${asked.folder} alone`;
}
