import { dataOf, type TraceStruct } from '../../../drivers/contract';
import type { ProgramRecord } from '../../../drivers/programs/program';
import { runProgram } from '../../../drivers/programs/run-program';
import { SimBackend } from '../../../drivers/sim/backend';
import { soundParts } from '../../../drivers/sim/device/device';
import { simulatedDut } from '../../../drivers/sim/device/dut';
import type { StoredFinding, StoredRecord } from './stored-finding';

/** A finding of which no device could tell what its calls came to, with what they come to on the simulator. */
export async function asSimulated(finding: StoredFinding): Promise<StoredFinding> {
  const { hcaId } = finding.device;
  const dut = { ...simulatedDut, hcaId };
  const { records } = await runProgram(new SimBackend(soundParts, undefined, dut), finding.program);
  return { ...finding, records: records.map((record) => record && stored(record)) };
}

function stored(record: ProgramRecord): StoredRecord {
  const { verb, args, returned, errno, outputs, blocked, waited } = record;
  const hasWaited = waited !== undefined && waited > 0;
  return {
    verb,
    args: structOf(args),
    returned,
    errno,
    outputs: structOf(outputs),
    blocked: blocked === true,
    hasWaited,
  };
}

const structOf = (struct: TraceStruct): StoredRecord['args'] => dataOf(struct) as StoredRecord['args'];
