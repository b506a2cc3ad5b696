import { readSpecification } from '../inputs/features';
import { applicability, isExpired, type Conditions } from '../../catalog/deviations';
import { lateReceiveStays } from '../../drivers/explore/model/guided-qp';
import { knownDeviations } from '../inputs/deviations';

/** What explore has found of a provider and no scenario shows: written up in reports/findings. */
const found: Readonly<Record<string, readonly string[]>> = { rxe: [lateReceiveStays] };

/** The clauses that a device is known not to keep: those of the deviations that are listed, and what explore has found. */
export function clausesNotKept(conditions: Conditions, nowMs = Date.now()): ReadonlySet<string> {
  const listed = knownDeviations(readSpecification().clauses).filter(
    (entry) => applicability(entry, conditions).holds && !isExpired(entry, nowMs),
  );
  return new Set([...listed.map(({ rule }) => rule), ...(found[conditions.dut.provider ?? ''] ?? [])]);
}
