import Table from 'cli-table3';
import { createColors } from 'picocolors';
import { oneLine } from '../../../catalog/plain-text';
import { hasColors } from '../../common/colors';
import type { LawfulProof } from './lawful-proof';

/** A line for each variant, then what is wrong. */
export function renderLawful({ variants, problems }: LawfulProof, stream: { readonly isTTY?: boolean }): string {
  const colors = createColors(hasColors(stream));
  const head = ['lawful variant', 'run otherwise', 'not applicable', 'not passed'];
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  for (const { variant, astray, notApplicable, failed } of variants)
    table.push([variant, astray, notApplicable, failed.length].map(String));
  return [
    table.toString(),
    '',
    ...problems.map((line) => `${colors.red('wrong')}  ${oneLine(line)}`),
    ...(problems.length === 0 ? [] : ['']),
    `${variants.length} lawful variants: ${problems.length === 0 ? 'no false alarm' : `${problems.length} wrong`}`,
    '',
  ].join('\n');
}
