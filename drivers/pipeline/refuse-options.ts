import { UsageError, type Dut, type DriverOptions } from '../contract';

/** The options of a driver that a user sets. */
type Choice = Exclude<keyof DriverOptions, 'progress'>;

const flags: Readonly<Record<Choice, string>> = {
  ibDev: '--ib-dev',
  ibPort: '--ib-port',
  gidIndex: '--gid-index',
  mtu: '--mtu',
  kernel: '--kernel',
  module: '--module',
  rdmaCore: '--rdma-core',
  vmTime: '--vm-time',
  host: '--host',
  fault: '--fault',
  profile: '--profile',
  variant: '--variant',
  network: '--network',
};

/** Drivers that options are for; the others are for all. */
const owners: Readonly<Partial<Record<Choice, string>>> = {
  kernel: 'soft-roce',
  module: 'soft-roce',
  rdmaCore: 'soft-roce',
  vmTime: 'soft-roce',
  host: 'hca',
  fault: 'sim',
  profile: 'sim',
  variant: 'sim',
  network: 'sim',
};

/** By option: the one value that a driver has, or `null` where the option says nothing to it. */
export type Fixed = Readonly<Partial<Record<Choice, string | number | null>>>;

/** Refuses what the user asks for and the driver cannot follow. @throws UsageError naming the option */
export function refuseOptions(driver: string, options: DriverOptions, fixed: Fixed): void {
  for (const [choice, value] of Object.entries(fixed) as [Choice, string | number | null][]) {
    const asked = options[choice];
    if (asked === undefined || asked === value) continue;
    const owner = owners[choice];
    if (value === null) {
      const remedy = owner === undefined ? 'leave it out' : `leave it out, or use --driver ${owner}`;
      throw new UsageError(`--driver ${driver} takes no ${flags[choice]}`, remedy);
    }
    throw new UsageError(
      `--driver ${driver} has no ${flags[choice]} ${JSON.stringify(asked)}`,
      `it has ${JSON.stringify(value)} alone; leave the option out`,
    );
  }
}

/** The path MTU that the user asks for. @throws UsageError if the port cannot carry it */
export function checkedMtu({ hcaId, port }: Dut, mtu: number | undefined): number | undefined {
  if (mtu === undefined || mtu <= port.activeMtu) return mtu;
  throw new UsageError(
    `${flags.mtu} ${mtu} is more than port ${port.portNum} of ${hcaId} carries`,
    `its active MTU is ${port.activeMtu}; name that or less`,
  );
}
