import Table from 'cli-table3';
import type { TryResult } from './attack';

/** How many tries of each area were made, were bad and were left out, and what is wrong. */
export function attackText(results: readonly TryResult[]): string {
  const bad = results.filter(({ complaints }) => complaints.length > 0);
  const parts = [...(bad.length > 0 ? [`Bad:\n${bad.map(badText).join('\n')}`] : []), tableOf(results)];
  return `${parts.join('\n\n')}\n`;
}

function badText(result: TryResult): string {
  const said = (result.said ?? '').trimEnd().split('\n').slice(0, 6);
  const lines = said.map((line) => `      | ${JSON.stringify(line).slice(1, -1)}`);
  return [
    `  ${result.area}: ${result.name}: ${result.complaints.join('; ')}`,
    `      verbspec ${commandText(result)}`,
    ...lines,
  ].join('\n');
}

/** The arguments as a line that can be read, if not always typed. */
export function commandText({ args }: Pick<TryResult, 'args'>): string {
  return args.map((word) => (/^[\w./:=@,-]+$/.test(word) ? word : JSON.stringify(word).slice(0, 60))).join(' ');
}

function tableOf(results: readonly TryResult[]): string {
  const table = new Table({ head: ['area', 'tries', 'bad', 'skipped'], style: { head: [], border: [] } });
  const areas = [...new Set(results.map(({ area }) => area))];
  for (const area of areas) table.push([area, ...counts(results.filter((result) => result.area === area))]);
  table.push(['all', ...counts(results)]);
  return table.toString();
}

function counts(results: readonly TryResult[]): number[] {
  const skipped = results.filter((result) => result.skipped !== undefined).length;
  return [results.length - skipped, results.filter(({ complaints }) => complaints.length > 0).length, skipped];
}
