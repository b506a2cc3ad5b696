import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a page in one file is made of. */
export interface PageFiles {
  readonly template: string;
  /** What the pages of tables look like alike. */
  readonly base: string;
  readonly style: string;
  readonly script: string;
}

/** Reads the files of a page: NAME.eta, NAME.css and NAME.js of its folder. */
export function pageFiles(folder: string, name: string): PageFiles {
  const read = (extension: string): string => readFileSync(join(folder, `${name}.${extension}`), 'utf8');
  const base = readFileSync(join(__dirname, 'base.css'), 'utf8');
  return { template: read('eta'), base, style: read('css'), script: read('js') };
}
