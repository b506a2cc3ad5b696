import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { HarnessError } from '../drivers/contract';

/** The features and the data of their pages. */
export const featuresFolder = join(__dirname, '..', 'features');

/** A file that lies beside the feature of its page: `ibv_poll_cq.clauses.json`. */
export interface PageFile {
  /** Man page, without its section number. */
  readonly page: string;
  /** Path below the folder of the features. */
  readonly path: string;
}

/**
 * The files of one kind below a folder of features, in the order of the features.
 *
 * @throws {@link HarnessError} when a page has two of them
 */
export function pageFiles(kind: 'clauses' | 'sentences', folder: string = featuresFolder): PageFile[] {
  const ending = `.${kind}.json`;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => ({ page: basename(path, ending), path }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const paths = new Map<string, string>();
  for (const { page, path } of files) {
    const first = paths.get(page);
    if (first !== undefined) throw new HarnessError(`${folder}: ${page} has ${kind} in ${first} and in ${path}`);
    paths.set(page, path);
  }
  return files;
}

/** Reads the JSON of a page. @throws {@link HarnessError} when it cannot be read or is not valid JSON */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new HarnessError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
