import type { Dut } from '../../drivers/contract';
import { oneLine } from '../../catalog/plain-text';

/**
 * What a device under test is called beside others: `soft-roce rxe0, kernel 6.1.0-56-amd64`; the simulator is `sim`, and
 * `sim like connectx` where it behaves as a device that nobody has run.
 */
export function dutName({ driver, dut }: { readonly driver: string; readonly dut: Partial<Dut> }): string {
  const { hcaId, kernel, module, profile } = dut;
  if (driver === 'sim') return oneLine(profile === undefined ? driver : `${driver} like ${profile.name}`);
  const parts = [
    [driver, hcaId].filter(isTold).join(' '),
    ...(isTold(kernel) ? [`kernel ${kernel}`] : []),
    ...(module === undefined ? [] : [`module ${module.file}`]),
  ];
  return oneLine(parts.join(', '));
}

function isTold(text: string | undefined): text is string {
  return text !== undefined && text !== '' && text !== 'none';
}
