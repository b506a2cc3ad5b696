import { appendFileSync, closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { HarnessError } from '../drivers/contract';

/** Writes a file that the user has named. @throws HarnessError if it cannot be written */
export function writeTo(path: string, text: string): void {
  tell(path, () => {
    refuseUnread(path);
    writeFileSync(path, text);
  });
}

/** Adds to the end of a file, which need not be there. @throws HarnessError if it cannot be written */
export function appendTo(path: string, text: string): void {
  tell(path, () => {
    refuseUnread(path);
    appendFileSync(path, text);
  });
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
