import type { Verdicts } from '../verdicts';

/** A short name for the DUT of each run: its driver, with what tells it from the others. */
export function dutNames(runs: readonly Verdicts[]): string[] {
  const facts = runs.map(({ driver, dut, startedAt }) => [
    driver,
    dut.hcaId ?? '',
    dut.fwVer ?? '',
    shortKernel(dut.kernel ?? ''),
    dut.rdmaCore === undefined ? '' : `rdma-core ${dut.rdmaCore}`,
    startedAt,
  ]);
  const chosen = new Set([0]);
  const nameOf = (own: readonly string[]): string =>
    own.filter((fact, index) => chosen.has(index) && fact !== '').join(' ');
  for (let index = 1; index < (facts[0]?.length ?? 0) && hasRepeats(facts.map(nameOf)); index++) {
    if (facts.some((own) => own[index] !== facts[0]?.[index])) chosen.add(index);
  }
  const names = facts.map(nameOf);
  return names.map((name, index) => (hasRepeats(names) ? `${name} (run ${index + 1})` : name));
}

/** `6.1` of `6.1.0-56-amd64`. */
function shortKernel(release: string): string {
  const series = /^\d+\.\d+/.exec(release)?.[0];
  return series === undefined ? release : `kernel ${series}`;
}

function hasRepeats(names: readonly string[]): boolean {
  return new Set(names).size < names.length;
}
