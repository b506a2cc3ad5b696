import { demand } from './refusal';

/** File descriptors that the process may have at the beginning: RLIMIT_NOFILE. */
const initialLimit = 1024;
/** Standard input, output and error are open from the beginning. */
const firstNumber = 3;

/** An open file: its number and its status flags. */
export class Descriptor {
  flags: readonly string[] = [];

  constructor(readonly fd: number) {}
}

/** The open files of the process that calls the verbs. */
export class Descriptors {
  protected limitNow = initialLimit;
  protected readonly openNumbers = new Set<number>();

  /** @param most - numbers from here on are not given out, `undefined` for as many as at the beginning: setrlimit(2) */
  limit(most: number | undefined): void {
    this.limitNow = most ?? initialLimit;
  }

  /** Opens a file under the lowest number that is free. */
  open(): Descriptor {
    let fd = firstNumber;
    while (this.openNumbers.has(fd)) fd += 1;
    demand(fd < this.limitNow, 'EMFILE');
    this.openNumbers.add(fd);
    return new Descriptor(fd);
  }

  /** poll(2) refuses to look at more files than the process may have. */
  look(files: number): void {
    demand(files <= this.limitNow, 'EINVAL');
  }

  close({ fd }: Descriptor): void {
    this.openNumbers.delete(fd);
  }
}
