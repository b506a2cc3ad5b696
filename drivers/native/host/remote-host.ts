/**
 * The far side of an ssh connection: starts a host process, passes on its streams, and says on stderr how it ended, as
 * remote-words.ts has it; ssh itself cannot distinguish a crash from a lost connection. When the connection ends, so does the
 * host process, whatever it hangs in.
 *
 *     node remote-host.js --session NUMBER --run WORD --marker WORD
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { HostExit } from '../carriers/carrier';
import { silenceMs, wordLine, type RemoteWord } from '../carriers/remote-words';
import { environmentOf, killProcessesOf, processesOf } from '../carriers/run-processes';
import { Tail } from '../../support/tail';

/** Milliseconds that killed processes of the session before may take to be gone. */
const leftoverGraceMs = 10_000;

/** Milliseconds that the last output of a process may take once the process has ended. */
const outputGraceMs = 1000;

const exitCodes = { ok: 0, refused: 3 };

const {
  session = '',
  run = '',
  marker = '',
} = parseArgs({
  options: { session: { type: 'string' }, run: { type: 'string' }, marker: { type: 'string' } },
}).values;

async function main(): Promise<void> {
  const reason = await refusal();
  if (reason === undefined) serve();
  else say({ kind: 'refused', reason }, () => process.exit(exitCodes.refused));
}

/** Why no host process can be started here. */
async function refusal(): Promise<string | undefined> {
  if (!existsSync(hostProgram())) return 'the host program is not built';
  killProcessesOf(run);
  const until = Date.now() + leftoverGraceMs;
  while (processesOf(run).length > 0 && Date.now() < until) await delay(50);
  const left = processesOf(run);
  return left.length === 0 ? undefined : `the kernel holds process ${left.join(', ')} of an earlier scenario`;
}

/** It lies beside this program. */
function hostProgram(): string {
  return join(dirname(process.argv[1] ?? ''), 'host.js');
}

function serve(): void {
  const host = spawn(process.execPath, [hostProgram(), '--session', session], {
    stdio: ['pipe', 'inherit', 'pipe'],
    detached: true,
    env: environmentOf(run),
  });
  const tail = new Tail();
  host.stderr.on('data', (chunk: Buffer) => {
    tail.add(chunk);
  });
  host.stdin.on('error', () => undefined); // a host that is gone is noticed by its end
  whileConnected((chunk) => host.stdin.write(chunk));
  host.once('exit', (code, signal) => {
    killProcessesOf(run); // children of the provider, which may hold the streams
    const end = (): void => {
      endWith({ code, signal, stderrTail: tail.text() });
    };
    host.once('close', end);
    setTimeout(end, outputGraceMs);
  });
  host.once('error', (error) => {
    endWith({ code: null, signal: null, stderrTail: error.message });
  });
  say({ kind: 'ready', hostName: hostname() });
}

/** Hands on what comes; kills the host when the near side is gone or says nothing more. */
function whileConnected(take: (chunk: Buffer) => void): void {
  const end = (): void => {
    killProcessesOf(run);
  };
  const silence = setTimeout(end, silenceMs);
  process.stdin
    .on('data', (chunk: Buffer) => {
      silence.refresh();
      take(chunk); // also to a host that reads nothing: the end of the stream comes after all that it was sent
    })
    .once('end', end)
    .on('error', end);
}

let hasEnded = false;

function endWith(exit: HostExit): void {
  if (hasEnded) return;
  hasEnded = true;
  say({ kind: 'ended', exit }, () => process.exit(exitCodes.ok));
}

function say(word: RemoteWord, then: () => void = () => undefined): void {
  process.stderr.write(`${wordLine(marker, word)}\n`, then);
}

// A connection that ends takes this program's streams with it; the host still has to be killed.
process.on('SIGHUP', () => {
  killProcessesOf(run);
});
process.stderr.on('error', () => process.exit(exitCodes.ok));

void main();
