import {
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { HarnessError } from '../../drivers/contract';

/** Codes of errors where nothing can be made beside a file, which itself may still be written. */
const folderIsClosed = ['EACCES', 'EPERM'];

/** Writes a file that the user has named, whole or not at all. @throws HarnessError if it cannot be written */
export function writeTo(path: string, text: string): void {
  tell(path, () => {
    const earlier = statSync(path, { throwIfNoEntry: false });
    if (earlier === undefined) replace(path, text);
    else if (earlier.isFile()) replace(realpathSync(path), text, earlier.mode);
    else writeToReader(path, text);
  });
}

/** Adds to the end of a file, which need not be there. @throws HarnessError if it cannot be written */
export function appendTo(path: string, text: string): void {
  tell(path, () => {
    refuseUnread(path);
    appendFileSync(path, text);
  });
}

/** What a full disk has no room for leaves the file as it was. */
function replace(path: string, text: string, mode?: number): void {
  const partial = `${path}.${process.pid}.new`;
  try {
    writeFileSync(partial, text, { flag: 'wx' });
    if (mode !== undefined) chmodSync(partial, mode);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    if (!folderIsClosed.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    writeFileSync(path, text);
  }
}

function writeToReader(path: string, text: string): void {
  refuseUnread(path);
  writeFileSync(path, text);
}

/** A FIFO that nobody reads would keep us for ever; what is opened without waiting is refused there with ENXIO. */
function refuseUnread(path: string): void {
  closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK));
}

function tell(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new HarnessError(`cannot write ${path}: ${(error as Error).message}`, 'name a file that can be written');
  }
}
