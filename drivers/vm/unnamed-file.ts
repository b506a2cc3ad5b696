import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HarnessError } from '../contract';
import { makeTemporaryFolder, temporaryPrefixes } from '../support/temporary-folder';

/**
 * A file with this content and no name, so that nothing is left of it, however this process ends.
 *
 * @param what - the content, as the error calls it
 * @returns its descriptor
 * @throws HarnessError if there is no room for it
 */
export function openUnnamed(what: string, content: Buffer): number {
  let folder: string | undefined;
  let file: number | undefined;
  try {
    folder = makeTemporaryFolder(tmpdir(), temporaryPrefixes.system);
    file = openSync(join(folder, 'content'), 'w+');
    rmSync(folder, { recursive: true });
    writeFileSync(file, content);
    return file;
  } catch (error) {
    if (file !== undefined) closeSync(file);
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    const room = `set TMPDIR to a folder with ${Math.ceil(content.length / 1e6)} MB of room`;
    throw new HarnessError(`cannot write ${what}: ${(error as Error).message}`, room);
  }
}
