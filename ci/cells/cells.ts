/**
 * Lists the cells that the simulator can reach, for `verbspec explore --coverage`: those of a run of all scenarios, of
 * programs of the small scope, and of random walks, each until no new cells appear for long or its programs are over.
 *
 *   npm run cells                  writes drivers/explore/coverage/reachable.json; a quarter of an hour
 *   npm run cells -- --seeds 1,2   walks of these seeds alone
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listOfCells, type Reach } from '../../drivers/explore/coverage/cell-list';
import { cellsOfScenarios, cellsOfSmallScope, cellsOfWalks } from './enumerate';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1,2,3' },
    step: { type: 'string', default: '53' },
    'without-news': { type: 'string', default: '3000' },
    most: { type: 'string', default: '8000' },
  },
});

async function main(): Promise<void> {
  const say = (line: string): void => {
    console.log(line);
  };
  const scenarios = await cellsOfScenarios(['features']);
  say(`scenarios: ${scenarios.size} cells`);
  const smallScope = await cellsOfSmallScope(Number(values.step));
  say(`small scope: ${smallScope.size} cells`);
  const limits = {
    seeds: values.seeds.split(',').map(Number),
    withoutNews: Number(values['without-news']),
    most: Number(values.most),
  };
  const walks = await cellsOfWalks(limits, say);
  const cells = new Map<string, Reach>([...smallScope, ...walks].map((key) => [key, 'generated']));
  const own = [...scenarios].filter((key) => !cells.has(key));
  for (const key of scenarios) cells.set(key, 'scenarios');
  const path = join(__dirname, '../../drivers/explore/coverage/reachable.json');
  writeFileSync(path, `${JSON.stringify(listOfCells(cells), undefined, 2)}\n`);
  say(`${cells.size} cells in all, ${own.length} of scenarios alone`);
}

void main();
