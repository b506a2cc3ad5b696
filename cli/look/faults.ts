import { createColors } from 'picocolors';
import { printableJson } from '../../catalog/plain-text';
import { faults as planted } from '../../drivers/sim/faults';
import { wrap } from '../../reports/evidence/wrap';
import { hasColors } from '../common/colors';
import { selectClauses } from '../rules/select-clauses';

/** What the user asks of `verbspec faults`. */
export interface FaultsOptions {
  /** Pages or clause ids; none for all. */
  readonly selectors: readonly string[];
  readonly json: boolean;
}

/**
 * Lists the faults that `verbspec run --fault` can plant in the simulator.
 *
 * @returns the exit code
 * @throws UsageError for a page or rule that there is not
 */
export function faults({ selectors, json }: FaultsOptions): number {
  const ids = new Set(selectClauses(selectors).map(({ id }) => id));
  const listed = Object.entries(planted)
    .map(([name, { effect, rules }]) => ({ name, effect, rules }))
    .filter(({ rules }) => rules.some((rule) => ids.has(rule)));
  process.stdout.write(json ? `${printableJson(listed, 2)}\n` : faultsText(listed, process.stdout));
  return 0;
}

interface ListedFault {
  readonly name: string;
  readonly effect: string;
  /** Clause ids of what it breaks. */
  readonly rules: readonly string[];
}

function faultsText(
  listed: readonly ListedFault[],
  stream: { readonly isTTY?: boolean; readonly columns?: number },
): string {
  const pc = createColors(hasColors(stream));
  const columns = stream.columns ?? 80;
  const lines = listed.flatMap(({ name, effect, rules }) => [
    pc.bold(name),
    ...wrap(effect, columns, '  '),
    ...wrap(`breaks ${rules.join(', ')}`, columns, '  ', '    ').map((line) => pc.dim(line)),
  ]);
  const count = listed.length === 1 ? '1 fault' : `${listed.length} faults`;
  return `${[...lines, '', `${count}; plant one with \`verbspec run --fault NAME\``].join('\n')}\n`;
}
