/**
 * Asks a host process what no client of ours asks, for a while: it has to answer each request, and not to crash, hang
 * or write to stderr, as a sanitizer does.
 *
 *     node -r ./ci/typescript.js ci/sanitizer/fuzz-host.ts [--device rxe0] [--seconds 60] [--seed N] [--asan]
 *
 * It needs a soft-RoCE device, as the VM has one; with a seed it asks the same again.
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { hostileLine } from '../../drivers/native/fixtures/hostile-lines';
import { firstRequests, hostileRequest, type HostileRequest } from '../../drivers/native/fixtures/hostile-requests';
import { LocalCarrier } from '../../drivers/native/carriers/local-carrier';
import { asanEnvironment, asanHostProgram } from './asan-host';
import { FuzzedHost } from '../../drivers/native/fixtures/fuzzed-host';

/** Requests to one host process; the next one begins without objects. */
const requestsAHost = 400;

/** Lines to one host process that may be no requests. */
const linesAHost = 200;

async function main(): Promise<number> {
  const { device, seconds, seed, asan } = parseArgs({
    options: {
      device: { type: 'string', default: 'rxe0' },
      seconds: { type: 'string', default: '60' },
      asan: { type: 'boolean', default: false },
      seed: { type: 'string', default: String(Date.now() % 0x7fffffff) },
    },
  }).values;
  process.stdout.write(`seed ${seed}\n`);
  const endsAt = Date.now() + Number(seconds) * 1000;
  const tally = new Map<string, number>();
  let session = 0;
  for (; Date.now() < endsAt; session++) {
    const drawn = fc.sample(hostileRequest, { seed: Number(seed) + session, numRuns: requestsAHost });
    const lines = fc.sample(hostileLine, { seed: Number(seed) + session, numRuns: linesAHost });
    const requests = [...firstRequests, ...drawn];
    const carrier = new LocalCarrier(asan ? { nodeArgs: [asanHostProgram], env: asanEnvironment() } : {});
    const finding = await fuzz(new FuzzedHost(await carrier.start(session + 1), session + 1, tally), {
      device,
      requests,
      lines,
    }).finally(() => carrier.close());
    if (finding === undefined) continue;
    process.stdout.write(`seed ${Number(seed) + session}: ${finding}\n`);
    return 1;
  }
  const answers = [...tally].sort().map(([kind, count]) => `${kind} ${count}`);
  const asked = `${session * requestsAHost} requests, ${session * linesAHost} lines`;
  process.stdout.write(`${session} host processes, ${asked}; ${answers.join(', ')}\n`);
  return tally.has('result') ? 0 : 3; // nothing but refusals says nothing of the verbs
}

/** What a host process is asked. */
interface Asked {
  readonly device: string;
  readonly requests: readonly HostileRequest[];
  readonly lines: readonly Buffer[];
}

/** @returns what is wrong with the host, or `undefined` */
async function fuzz(host: FuzzedHost, { device, requests, lines }: Asked): Promise<string | undefined> {
  return (await host.greet(device)) ?? (await host.ask(requests)) ?? (await host.askLines(lines)) ?? (await host.end());
}

void main().then((code) => {
  process.exitCode = code;
});
