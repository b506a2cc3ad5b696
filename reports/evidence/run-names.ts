import { parse } from 'node:path';
import { oneLine } from '../../catalog/plain-text';
import type { Verdicts } from '../judge/verdicts';

/** What distinguishes runs, the most significant first; each is used only where it differs. */
const facts: readonly ((run: Verdicts) => string | undefined)[] = [
  ({ dut }) => dut.provider,
  ({ dut }) => dut.hcaId,
  ({ dut }) => named('fw', dut.fwVer),
  ({ dut }) => /^\d+\.\d+/.exec(dut.kernel ?? '')?.[0] ?? dut.kernel,
  ({ dut }) => dut.kernel,
  ({ dut }) => named('rdma-core', dut.rdmaCore),
  ({ dut }) => dut.module?.file,
  ({ dut }) => named('sha256', dut.module?.sha256.slice(0, 10)),
  ({ dut }) => dut.distribution,
  ({ suite }) => named('verbspec', suite.version),
  ({ suite }) => suite.commit.replace(/^([0-9a-f]{10})[0-9a-f]+/, '$1'),
  ({ order }) => order,
  ({ authorities }) => named('authority', authorities?.join(', ')),
];

/**
 * The shortest names that distinguish runs: the label that the user gave, or the driver; then what differs among those
 * that are still alike. Runs that nothing distinguishes are numbered.
 */
export function runNames(runs: readonly Verdicts[]): string[] {
  const drivers = runs.map(({ label, driver }) => oneLine(label ?? parse(driver).name) || 'unnamed');
  const names = facts.reduce((soFar, fact) => extended(soFar, runs.map(fact)), drivers);
  return names.map((name, index) => {
    const same = names.flatMap((other, place) => (other === name ? [place] : []));
    return same.length === 1 ? name : `${name} #${same.indexOf(index) + 1}`;
  });
}

/** The names, with a fact after those that it distinguishes. */
function extended(names: readonly string[], values: readonly (string | undefined)[]): string[] {
  return names.map((name, index) => {
    const alike = values.filter((_, place) => names[place] === name);
    const own = oneLine(values[index] ?? '');
    return new Set(alike).size > 1 && own !== '' ? `${name} ${own}` : name;
  });
}

function named(name: string, value: string | undefined): string | undefined {
  return value === undefined || value === '' || value === 'none' ? undefined : `${name} ${value}`;
}
