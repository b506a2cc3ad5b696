import { join } from 'node:path';
import { Eta } from 'eta';
import { plainText } from '../../catalog/plain-text';
import { pageFiles } from '../page-style/page-files';
import { totalsInWords, totalsOf, type CellCoverage, type CellTotals, type CoveredCell } from './coverage';
import { edgesInWords } from './edges';
import { edgesView } from './edges-view';
import { share } from './share';

const { template, base, style, script } = pageFiles(join(__dirname, 'page'), 'coverage');

/** Who has reached a cell, with the sign that stands for it. */
export const reaches = {
  both: { sign: '●', words: 'by explore and by scenarios' },
  explore: { sign: '◐', words: 'by explore alone' },
  scenarios: { sign: '◑', words: 'by scenarios alone' },
  none: { sign: '○', words: 'by none' },
  unlisted: { sign: '✚', words: 'by explore, and not listed' },
} as const;
export type ReachName = keyof typeof reaches;

export function reachOf({ byExplore, byScenarios, isListed }: CoveredCell): ReachName {
  if (!isListed) return 'unlisted';
  if (byExplore) return byScenarios ? 'both' : 'explore';
  return byScenarios ? 'scenarios' : 'none';
}

interface Outcome {
  readonly outcome: string;
  readonly reach: ReachName;
}

/** One kind of object: operations by states. */
interface KindView {
  readonly kind: string;
  readonly id: string;
  readonly totals: CellTotals;
  readonly states: readonly string[];
  readonly rows: readonly { readonly operation: string; readonly outcomes: readonly (readonly Outcome[])[] }[];
}

/** The coverage as one page that needs nothing beside itself. What comes from a device is escaped. */
export function coverageHtml(coverage: CellCoverage): string {
  const { cells, edges, suite, driver, device, seed, programs } = coverage;
  const kinds = [...new Set(cells.map(({ kind }) => kind))];
  const facts = [
    `${programs} programs that came to what the pages allow`,
    `driver ${driver}`,
    device,
    `seed ${seed}`,
    `verbspec ${suite}`,
  ];
  return new Eta({ autoEscape: true, autoFilter: true, filterFunction: toText }).renderString(template, {
    style: `${base}${style}`,
    script,
    heading: totalsInWords(cells),
    facts: facts.join(', '),
    kinds: kinds.map((kind) =>
      kindView(
        kind,
        cells.filter((cell) => cell.kind === kind),
      ),
    ),
    totals: totalsOf(cells),
    reaches,
    share,
    edges: edges && { ...edgesView(edges), words: edgesInWords(edges) },
  });
}

function kindView(kind: string, cells: readonly CoveredCell[]): KindView {
  const states = [...new Set(cells.map(({ state }) => state))].sort();
  const operations = [...new Set(cells.map(({ operation }) => operation))].sort();
  const outcomesOf = (operation: string, state: string): Outcome[] =>
    cells
      .filter((cell) => cell.operation === operation && cell.state === state)
      .map((cell) => ({ outcome: cell.outcome, reach: reachOf(cell) }));
  return {
    kind,
    id: kind.toLowerCase().replace(/\W+/g, '-'),
    totals: totalsOf(cells),
    states,
    rows: operations.map((operation) => ({
      operation,
      outcomes: states.map((state) => outcomesOf(operation, state)),
    })),
  };
}

/** What eta is given before it escapes: no control characters reach a page. */
function toText(value: unknown): string {
  return plainText(typeof value === 'number' ? `${value}` : (value as string));
}
