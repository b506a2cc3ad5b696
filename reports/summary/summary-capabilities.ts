import { oneLine } from '../../catalog/plain-text';
import { paint, type Layout } from './summary-layout';
import type { Verdicts } from '../judge/verdicts';
import { wrap } from '../evidence/wrap';

/** What the device has lost of the capabilities that were expected of it, and what it has besides. */
export function capabilityLines({ expectedCapabilities }: Verdicts, layout: Layout): string[][] {
  const { missing = [], added = [] } = expectedCapabilities ?? {};
  const { columns, colors } = layout;
  const lines = [
    ...missing.flatMap((name) =>
      wrap(`missing: ${name}, which was expected`, columns, '  ', '    ').map((line) => paint('fail', line, layout)),
    ),
    ...(added.length > 0 ? wrap(`new: ${oneLine(added.join(', '))}`, columns, '  ', '    ') : []),
  ];
  return lines.length === 0 ? [] : [[colors.bold('Capabilities'), ...lines]];
}
