import { readSpecification } from '../inputs/features';
import type { Capability, Dut } from '../../drivers/contract';
import { applicability, isExpired, type Conditions } from '../../catalog/deviations';
import { lateReceiveStays } from '../../drivers/explore/model/guided-qp';
import { knownDeviations } from '../inputs/deviations';

const windowKeepsItsQp = 'a QP that ends before the window that is bound to it';
const sendOfSqdStays = 'a send that is posted in IBV_QPS_SQD';

/** What explore has found of a provider and no scenario shows: written up in reports/findings. */
const found: Readonly<Record<string, readonly string[]>> = {
  rxe: [lateReceiveStays, windowKeepsItsQp, sendOfSqdStays],
};

/** After what goes wrong here nothing can be foreseen: programs leave out what needs the ability. */
const leftOut: Readonly<Record<string, Capability>> = {
  'ibv_create_cq_ex.next-error-needs-end': 'extended-cq',
  [windowKeepsItsQp]: 'memory-windows',
  [sendOfSqdStays]: 'sq-drain',
};

/** The abilities of a device that programs may use, where it does not keep these clauses. */
export function abilitiesAskedFor(
  { capabilities }: Pick<Dut, 'capabilities'>,
  notKept: ReadonlySet<string>,
): Dut['capabilities'] {
  const without = new Set([...notKept].map((clause) => leftOut[clause]));
  return capabilities.filter((one) => !without.has(one));
}

/** The clauses that a device is known not to keep: those of the deviations that are listed, and what explore has found. */
export function clausesNotKept(conditions: Conditions, nowMs = Date.now()): ReadonlySet<string> {
  const listed = knownDeviations(readSpecification().clauses).filter(
    (entry) => applicability(entry, conditions).holds && !isExpired(entry, nowMs),
  );
  return new Set([...listed.map(({ rule }) => rule), ...(found[conditions.dut.provider ?? ''] ?? [])]);
}
