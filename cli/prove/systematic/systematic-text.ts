import Table from 'cli-table3';
import { createColors } from 'picocolors';
import { oneLine } from '../../../catalog/plain-text';
import { hasColors } from '../../common/colors';
import type { SystematicProof, SystematicVerdict } from './systematic-proof';

const columns = ['caught', 'caught elsewhere', 'argued', 'missed', 'void'] as const;

/** Two tables, by what was spoilt and by how; then what is wrong, then a summary. */
export function renderSystematic(proof: SystematicProof, stream: { readonly isTTY?: boolean }): string {
  const colors = createColors(hasColors(stream));
  const { faults, problems, caughtPercent, caughtByOwnPercent } = proof;
  return [
    tableOf('spoilt', faults, ({ piece }) => piece),
    tableOf('how', faults, ({ operator }) => operator),
    ...problems.map((line) => `${colors.red('wrong')}  ${oneLine(line)}`),
    ...(problems.length === 0 ? [] : ['']),
    `${faults.length} systematic faults: ${columns.map((one) => `${counted(faults, one)} ${one}`).join(', ')}`,
    `sensitivity  ${caughtPercent} % are caught, ${caughtByOwnPercent} % by a rule about what was spoilt`,
    problems.length === 0 ? 'proved    nothing is wrong' : `not proved  ${problems.length} wrong`,
    '',
  ].join('\n');
}

function tableOf(
  heading: string,
  faults: readonly SystematicVerdict[],
  of: (one: SystematicVerdict) => string,
): string {
  const table = new Table({ head: [heading, ...columns], style: { head: [], border: [], compact: true } });
  for (const name of [...new Set(faults.map(of))].sort()) {
    const own = faults.filter((one) => of(one) === name);
    table.push([name, ...columns.map((column) => String(counted(own, column)))]);
  }
  return `${table.toString()}\n`;
}

function counted(faults: readonly SystematicVerdict[], verdict: SystematicVerdict['verdict']): number {
  return faults.filter((one) => one.verdict === verdict).length;
}
