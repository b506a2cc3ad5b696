import { readSpecification } from '../inputs/features';
import type { Capability, Dut } from '../../drivers/contract';
import { applicability, isExpired, type Conditions, type Deviation } from '../../catalog/deviations';
import { lateReceiveStays, rnrTimesOut } from '../../drivers/explore/model/guided-qp';
import { knownDeviations } from '../inputs/deviations';

const windowKeepsItsQp = 'a QP that ends before the window that is bound to it';
const sendOfSqdStays = 'a send that is posted in IBV_QPS_SQD';

/** What explore has found and no scenario shows, and on which devices: written up in reports/findings. */
const found: readonly (Pick<Deviation, 'when'> & { readonly what: string })[] = [
  { what: lateReceiveStays, when: { provider: 'rxe' } },
  { what: windowKeepsItsQp, when: { provider: 'rxe' } },
  { what: sendOfSqdStays, when: { provider: 'rxe' } },
  { what: rnrTimesOut, when: { provider: 'rxe', kernel: '<=6.1' } },
];

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
  const holds = (entry: Pick<Deviation, 'when'>): boolean => applicability(entry, conditions).holds;
  const listed = knownDeviations(readSpecification().clauses).filter(
    (entry) => holds(entry) && !isExpired(entry, nowMs),
  );
  return new Set([...listed.map(({ rule }) => rule), ...found.filter(holds).map(({ what }) => what)]);
}
