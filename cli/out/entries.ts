import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Something in a folder: its path there, with a slash at the end if it is a folder. */
export interface Entry {
  readonly path: string;
  /** Whether it is a regular file or a folder, and no link and nothing special. */
  readonly isPlain: boolean;
}

/** All that lies in a folder, each folder before what it holds. No link is followed. */
export function* entriesIn(folder: string, above = ''): Generator<Entry> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${above}${entry.name}${entry.isDirectory() ? '/' : ''}`;
    yield { path, isPlain: entry.isFile() || entry.isDirectory() };
    if (entry.isDirectory()) yield* entriesIn(join(folder, entry.name), path);
  }
}
