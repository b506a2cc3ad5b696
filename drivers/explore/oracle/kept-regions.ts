import type { Dut, KernelComplaint } from '../../contract';
import type { Program } from '../../programs/program';
import { runProgram } from '../../programs/run-program';
import { SimBackend } from '../../sim/backend';
import { soundParts } from '../../sim/device/device';
import { Ledger } from '../model/looseness';
import { foreseen, type Course } from './foreseen';
import { verdictOf } from './inclusion';

/** The kernel warns of it when the region is deregistered, whatever the calls come to. No page has a clause about it. */
export const overrunKeepsRegion = 'a region that an RDMA write with immediate data reaches as it overruns a CQ';

/**
 * Whether a kernel complains of nothing but regions that stay, and the program is one of those by which they are known to:
 * a CQ overruns in it, or what its CQs hold is not known any more.
 *
 * @param complaints - what the kernel has said of the program; at least one
 * @param excused - clauses that the device is known not to keep
 */
export async function areOfKeptRegions(
  complaints: readonly KernelComplaint[],
  run: Course,
  dut: Dut,
  excused: ReadonlySet<string>,
): Promise<boolean> {
  const areOfRegions = complaints.every(({ report }) => report.some((line) => /\brxe_dereg_mr\+0x/.test(line)));
  if (!excused.has(overrunKeepsRegion) || !areOfRegions || !writesWithImmediate(run.program)) return false;
  return foreseen(run, excused).endsFor !== undefined || (await overruns(run.program, dut));
}

const writesWithImmediate = (program: Program): boolean =>
  JSON.stringify(program.ops).includes('"IBV_WR_RDMA_WRITE_WITH_IMM"');

async function overruns(program: Program, dut: Dut): Promise<boolean> {
  const { records } = await runProgram(new SimBackend(soundParts), program);
  const verdict = await verdictOf(program, { records, countsWaits: true }, dut, new Ledger());
  return verdict.kind === 'explained' && verdict.overran;
}
