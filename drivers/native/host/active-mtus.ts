import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const probe = resolve(__dirname, '..', '..', '..', 'build', 'host', 'drivers', 'native', 'host', 'mtu-probe.js');

/** A provider that hangs is not waited for. */
const probeMaxMs = 20_000;

/** Active MTU in bytes by device and port, as libibverbs reports it; nothing where it cannot be asked. */
export type ActiveMtus = Readonly<Record<string, Readonly<Record<string, number>> | undefined>>;

export function activeMtus(): ActiveMtus {
  const { stdout } = spawnSync(process.execPath, [probe], {
    encoding: 'utf8',
    timeout: probeMaxMs,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return parseMtus(stdout);
}

/** What the probe printed; nothing if it died before it was through. */
export function parseMtus(text: string): ActiveMtus {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as ActiveMtus) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
