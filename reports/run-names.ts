import { dutName } from './dut-name';
import type { Verdicts } from './verdicts';

/** Names that tell runs apart, in their order: the device's, its rdma-core where that differs, and a number at last. */
export function runNames(runs: readonly Verdicts[]): string[] {
  const plain = runs.map(dutName);
  const fuller = runs.map((run, index) => {
    const name = plain[index] ?? '';
    return isRepeated(name, plain) && run.dut.rdmaCore ? `${name}, rdma-core ${run.dut.rdmaCore}` : name;
  });
  return fuller.map((name, index) => {
    const before = fuller.slice(0, index).filter((other) => other === name).length;
    return isRepeated(name, fuller) ? `${name} (${before + 1})` : name;
  });
}

function isRepeated(name: string, names: readonly string[]): boolean {
  return names.filter((other) => other === name).length > 1;
}
