import { dataOf, type Data, type Dut } from '../../drivers/contract';
import { clauseOf } from '../../drivers/explore/clause-of';
import type { Finding } from '../../drivers/explore/explorer';
import type { Trials } from '../../drivers/explore/shrink/trials';
import { callsOf, type Program } from '../../drivers/programs/program';
import { suiteVersion } from '../common/project';

/** What a finding is written with beside itself. */
export interface FoundOn {
  readonly driver: string;
  readonly dut: Dut;
  readonly seed: number;
  /** The program as it was generated. */
  readonly original: Program;
  /** How often it was seen, on a device that does not always do the same. */
  readonly trials?: Trials | undefined;
}

/** A finding as it is written to a file. */
export function findingText({ program, records, oracle, difference }: Finding, on: FoundOn): string {
  const { hcaId, provider, kernel, rdmaCore } = on.dut;
  const { expected, observed, ...where } = difference;
  const data = {
    schemaVersion: 1,
    suite: suiteVersion(),
    driver: on.driver,
    device: { hcaId, provider, kernel, rdmaCore },
    seed: on.seed,
    oracle,
    clause: clauseOf(difference),
    ...(on.trials && { trials: on.trials }),
    difference: { ...where, expected: dataOf(expected), observed: dataOf(observed) },
    program,
    records: records.map((record): Data => (record === undefined ? null : dataOf({ ...record }))),
    callsOfOriginal: callsOf(on.original).length,
    original: on.original,
  };
  return `${JSON.stringify(data, undefined, 1)}\n`;
}
