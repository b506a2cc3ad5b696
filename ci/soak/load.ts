import { spawn } from 'node:child_process';
import { join } from 'node:path';

const program = join(__dirname, 'busy.js');

/** Busy processes, which are gone when this is ended or when this process is gone, however it went. */
export class Load {
  readonly #ends: readonly (() => void)[];

  /** @param count - how many */
  constructor(count: number) {
    this.#ends = Array.from({ length: count }, () => {
      const child = spawn(process.execPath, [program, String(process.pid)], { stdio: 'ignore' });
      child.unref();
      return () => child.kill('SIGKILL');
    });
  }

  end(): void {
    for (const end of this.#ends) end();
  }
}
