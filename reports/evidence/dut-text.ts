import type { Dut, KernelModule } from '../../drivers/contract';
import { oneLine } from '../../catalog/plain-text';

/** The device and its environment in a few facts, those that there are: `provider rxe`, `kernel 6.1.0-56-amd64`. */
export function dutFacts(dut: Partial<Dut>): string[] {
  const facts: (readonly [string, string | undefined])[] = [
    ['device', dut.hcaId],
    ['provider', dut.provider],
    ['profile', dut.profile && `${dut.profile.name} (${dut.profile.basis})`],
    ['firmware', dut.fwVer],
    ['kernel', dut.kernel],
    ['module', dut.module && `${dut.module.file} (sha256 ${dut.module.sha256.slice(0, 10)})`],
    ['rdma-core', dut.rdmaCore],
    ['on', dut.distribution],
    ['GID', gidText(dut)],
    ['kernel tainted by', dut.taint?.reasons.join(' and ')],
  ];
  return facts.flatMap(([name, value = '']) => (['', 'none'].includes(value) ? [] : [`${name} ${oneLine(value)}`]));
}

function gidText({ port }: Partial<Dut>): string | undefined {
  return port?.gidType === undefined ? undefined : `${port.gidIndex} (${port.gidType})`;
}

/** A module in one line: its version, what distinguishes it from others of that version, and its parameters. */
export function moduleText({ version, srcversion, buildId, parameters }: KernelModule): string {
  const parts = [
    ...(version === undefined ? [] : [version]),
    ...(srcversion === undefined ? [] : [`srcversion ${srcversion}`]),
    ...(buildId === undefined ? [] : [`build id ${buildId}`]),
    ...Object.entries(parameters).map(([name, value]) => `${name}=${value}`),
  ];
  return oneLine(parts.join(', ')) || 'loaded';
}
