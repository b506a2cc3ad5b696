import { UsageError } from '../../drivers/contract';
import { readTextFile } from '../../drivers/support/files';
import { oneLine } from '../../catalog/plain-text';

/** Bytes that the results of a run may have; those of all features have one or two million. */
export const resultsBytesMax = 64 * 1024 * 1024;

/** Bytes that a list may have which somebody writes by hand. */
export const listBytesMax = 16 * 1024 * 1024;

/**
 * Reads a text file that the user has named.
 *
 * @param name - what it is called: its path, with its option where there is one
 * @throws UsageError if it cannot be read, is not a regular file, or has more bytes
 */
export function readNamedFile(path: string, bytesMax: number, name = path, remedy?: string): string {
  try {
    return readTextFile(path, bytesMax);
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${oneLine((error as Error).message)}`, remedy);
  }
}
