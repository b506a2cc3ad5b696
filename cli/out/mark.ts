import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTextFile } from '../../drivers/support/files';
import { schemaCheck } from '../../catalog/schema';
import { suiteVersion } from '../common/project';
import schema from './mark.schema.json';

/** The name of the mark in a folder of results. */
export const markName = '.verbspec';

/** What writes results into a folder of their own. */
export type ResultsKind = 'run' | 'repeat' | 'report' | 'spec-book' | 'soak' | 'explore';

/** How much of what was asked for the results are. */
export type State = 'whole' | 'interrupted' | 'incomplete';

/** By what verbspec knows again the results that it wrote; the members are explained in mark.schema.json. */
export interface Mark {
  readonly schemaVersion: 1;
  readonly kind: ResultsKind;
  readonly suite: string;
  readonly state: State;
  readonly entries: readonly string[];
}

const bytesMax = 64 * 1024 * 1024;
const departuresOf = schemaCheck(schema);

/** @throws Error that says in a line why there is none that can be trusted */
export function readMark(folder: string): Mark {
  const path = join(folder, markName);
  if (!lstatSync(path).isFile()) throw new Error('it is not a regular file');
  const mark: unknown = JSON.parse(readTextFile(path, bytesMax));
  const [departure] = departuresOf(mark);
  if (departure !== undefined) throw new Error(`${departure.path} ${departure.text}`.trim());
  return mark as Mark;
}

/** The mark of a folder, `undefined` where there is none that can be trusted. */
export function markOf(folder: string): Mark | undefined {
  try {
    return readMark(folder);
  } catch {
    return undefined;
  }
}

/** Marks a folder, as the last that is written into it. */
export function writeMark(folder: string, { kind, state, entries }: Pick<Mark, 'kind' | 'state' | 'entries'>): void {
  const mark: Mark = { schemaVersion: 1, kind, suite: suiteVersion(), state, entries: [...entries].sort() };
  writeFileSync(join(folder, markName), `${JSON.stringify(mark)}\n`);
}
