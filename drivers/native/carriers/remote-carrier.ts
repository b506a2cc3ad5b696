import { DutLost, HarnessError } from '../../contract';
import { inOneLine } from '../../support/foreign-text';
import type { Carrier, HostProcess } from './carrier';
import { RemoteProcess } from './remote-process';
import type { RemoteTarget } from './remote-target';
import { remedyFor, secretWord, sshArguments } from './ssh';
import { within } from '../../support/timeout';

/** Milliseconds that ssh and the far side may take. */
const startDeadlineMs = 120_000;

/** Starts host processes on another machine, over ssh. */
export class RemoteCarrier implements Carrier {
  readonly #target: RemoteTarget;
  readonly #run = secretWord();
  #current: RemoteProcess | undefined;
  #hasStarted = false;

  constructor(target: RemoteTarget) {
    this.#target = target;
  }

  /** A machine that could be reached once and cannot be any more is lost. */
  async start(session: number): Promise<HostProcess> {
    const marker = secretWord();
    const { destination } = this.#target;
    const args = sshArguments(this.#target, { session, run: this.#run, marker });
    const host = new RemoteProcess({ args, marker, destination });
    this.#current = host;
    const reason = await startFailure(host);
    if (reason === undefined) {
      this.#hasStarted = true;
      return host;
    }
    host.kill();
    const message = `no host process can be started on ${destination}: ${inOneLine(lineOf(reason))}`;
    if (this.#hasStarted) throw new DutLost(message);
    throw new HarnessError(message, remedyFor(reason, this.#target));
  }

  get hostNames(): readonly string[] {
    return [this.#current?.hostName ?? []].flat();
  }

  /** The kernel is another machine's; its log is not ours to read. */
  kernelLog(): string {
    return '';
  }

  async close(): Promise<void> {
    this.#current?.kill();
    await this.#current?.ended;
  }
}

/** Why there is no host process. */
async function startFailure(host: RemoteProcess): Promise<string | undefined> {
  const known = await within(
    startDeadlineMs,
    host.started.then((reason) => ({ reason })),
  );
  return known === undefined ? `nothing was heard within ${startDeadlineMs / 1000} s` : known.reason;
}

/** The line of several that says most: an error where there is one, else the last. */
function lineOf(words: string): string {
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.find((line) =>
    /^(\w*Error:|.*(Permission denied|Host key verification failed|not found))/.test(line),
  );
  return telling ?? lines.at(-1) ?? 'ssh ended without a word';
}
