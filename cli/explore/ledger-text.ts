import Table from 'cli-table3';
import { looseness, type Ledger, type LooseName } from '../../drivers/explore/model/looseness';

/** Where more than one outcome is allowed, by what, and how often a device took that branch. */
export function ledgerText(ledger: Ledger): string {
  const table = new Table({
    head: ['what may differ', 'clause', 'met'],
    style: { head: [], border: [] },
    wordWrap: true,
    colWidths: [62, 44, 8],
  });
  for (const [name, { allows, clause }] of Object.entries(looseness)) {
    table.push([allows, clause, String(ledger.taken(name as LooseName))]);
  }
  return table.toString();
}
